import { atom, getDefaultStore } from 'jotai'
import type { Download, DownloadOptions } from '../api/client.ts'
import { exportCustomers, exportDrivers } from '../api/exports.ts'
import type { Command } from './command.ts'
import { runMutation } from './run.ts'

export interface Export {
  /** Names it while it is under way. */
  record: string
  start: Command
  cancel: Command
}

interface Progress {
  /** That have arrived. */
  bytes: number
  cancel: () => void
}

const store = getDefaultStore()

/** Exports under way, by their record. */
export const exportsAtom = atom<ReadonlyMap<string, Progress>>(new Map())

export const driversExport = exporting('drivers', 'Export Drivers to Excel', '/riders', exportDrivers)
export const customersExport = exporting(
  'customers',
  'Export Customers to Excel',
  '/customers',
  exportCustomers,
)

/** A file is for whoever asked for it. */
export function cancelExports(): void {
  for (const { cancel } of store.get(exportsAtom).values()) cancel()
}

/** S4.11: one file at a time, saved when it is whole. */
function exporting(
  noun: string,
  about: string,
  path: string,
  load: (options: DownloadOptions) => Promise<Download>,
): Export {
  const record = `export:${noun}`
  const progress = () => store.get(exportsAtom).get(record)
  return {
    record,
    start: {
      id: `${noun}.export`,
      about,
      title: () => about,
      keywords: 'download spreadsheet xlsx save',
      when: (context) => context.path === path,
      enabled: () => (progress() ? 'Downloading...' : true),
      run: async () => {
        if (!progress()) await download(record, about, load)
      },
    },
    cancel: {
      id: `${noun}.cancelExport`,
      about: `Cancel: ${about}`,
      title: () => `Cancel: ${about}`,
      keywords: 'stop abort download',
      when: () => progress() !== undefined,
      run: () => progress()?.cancel(),
    },
  }
}

async function download(
  record: string,
  label: string,
  load: (options: DownloadOptions) => Promise<Download>,
) {
  const control = new AbortController()
  const { signal } = control
  const show = (bytes: number) => note(record, { bytes, cancel: () => control.abort(cancelled()) })
  show(0)
  await runMutation({
    id: `${record}.run`,
    record,
    label,
    failed: 'Failed to download the data. Please try again.', // S8.3
    perform: async () => {
      // Whoever called it off wants neither the file nor a toast.
      const { name, blob } = await load({ signal, onProgress: show }).finally(() => signal.throwIfAborted())
      save(name, blob)
      return name
    },
  })
  note(record, null)
}

const cancelled = () => new DOMException('The export was cancelled.', 'AbortError')

function note(record: string, progress: Progress | null): void {
  const next = new Map(store.get(exportsAtom))
  if (progress) next.set(record, progress)
  else next.delete(record)
  store.set(exportsAtom, next)
}

function save(name: string, blob: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
