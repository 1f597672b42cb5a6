import { atom, getDefaultStore } from 'jotai'
import type { Download, DownloadOptions } from '../api/client.ts'
import { exportCustomers, exportDrivers } from '../api/exports.ts'
import type { Command } from './command.ts'
import { busyAtom, runMutation } from './run.ts'

/** Bytes that have arrived, by what is being exported. */
export const exportProgressAtom = atom<ReadonlyMap<string, number>>(new Map())

const store = getDefaultStore()
const running = new Map<string, AbortController>()

/** S4.11: one file at a time, saved when it is whole; a second run of the command cancels the first. */
function exportCommand(
  noun: string,
  about: string,
  path: string,
  load: (options: DownloadOptions) => Promise<Download>,
): Command {
  const record = `export:${noun}`
  return {
    id: `${noun}.export`,
    about,
    title: () => (running.has(record) ? `Cancel: ${about}` : about),
    keywords: 'download spreadsheet xlsx save',
    when: (context) => context.path === path,
    run: async () => {
      const earlier = running.get(record)
      if (earlier) earlier.abort()
      else if (!store.get(busyAtom).has(record)) await start(record, about, load)
    },
  }
}

export const exportAllDrivers = exportCommand('drivers', 'Export Drivers to Excel', '/riders', exportDrivers)
export const exportAllCustomers = exportCommand(
  'customers',
  'Export Customers to Excel',
  '/customers',
  exportCustomers,
)

async function start(record: string, label: string, load: (options: DownloadOptions) => Promise<Download>) {
  const control = new AbortController()
  running.set(record, control)
  await runMutation({
    id: `${record}.run`,
    record,
    label,
    failed: 'Failed to download the data. Please try again.', // S8.3
    perform: async () => {
      try {
        const { name, blob } = await load({
          signal: control.signal,
          onProgress: (bytes) => note(record, bytes),
        })
        save(name, blob)
        return name
      } catch (error) {
        if (control.signal.aborted) return 'Cancelled'
        throw error
      }
    },
  })
  running.delete(record)
  note(record, null)
}

function note(record: string, bytes: number | null): void {
  const next = new Map(store.get(exportProgressAtom))
  if (bytes === null) next.delete(record)
  else next.set(record, bytes)
  store.set(exportProgressAtom, next)
}

function save(name: string, blob: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
