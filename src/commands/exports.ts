import { atom, getDefaultStore } from 'jotai'
import { download as load } from '../api/client.ts'
import type { Command } from './command.ts'
import { runTask } from './run.ts'

export interface Export {
  /** Identifies the export while it runs: `export:drivers`. */
  name: string
  start: Command
  cancel: Command
}

interface Progress {
  /** Received so far. */
  bytes: number
  cancel: () => void
}

const store = getDefaultStore()

/** Running exports, by name. */
export const exportsAtom = atom<ReadonlyMap<string, Progress>>(new Map())

/** S7.9, S9.11 */
export const driversExport = exporting({
  collection: 'drivers',
  about: 'Export Drivers to Excel',
  call: 'drivers-export-excel/',
  file: 'drivers_data.xlsx',
})
/** S7.10, S9.11 */
export const customersExport = exporting({
  collection: 'customers',
  about: 'Export Customers to Excel',
  call: 'customers-export-excel/',
  file: 'customers_data.xlsx',
})

/** Cancels all exports when the session ends: no file is saved for the next person. */
export function cancelExports(): void {
  for (const { cancel } of store.get(exportsAtom).values()) cancel()
}

interface Exporting {
  collection: string
  about: string
  call: string
  /** The name of the file if the server sends none. */
  file: string
}

/** S4.11: an export cannot be started again while it runs. Its file is saved only when it is complete. */
function exporting({ collection, about, call, file }: Exporting): Export {
  const name = `export:${collection}`
  const progress = () => store.get(exportsAtom).get(name)
  return {
    name,
    start: {
      id: `${collection}.export`,
      about,
      title: () => about,
      keywords: 'download spreadsheet xlsx save pakua hamisha',
      enabled: () => (progress() ? 'Downloading...' : true),
      run: async () => {
        if (!progress()) await run(name, about, call, file)
      },
    },
    cancel: {
      id: `${collection}.cancelExport`,
      about: `Cancel: ${about}`,
      title: () => `Cancel: ${about}`,
      keywords: 'stop abort download',
      when: () => progress() !== undefined,
      run: () => progress()?.cancel(),
    },
  }
}

async function run(name: string, label: string, call: string, file: string): Promise<void> {
  const control = new AbortController()
  const { signal } = control
  const show = (bytes: number) => note(name, { bytes, cancel: () => control.abort(cancelled()) })
  show(0)
  await runTask(name, {
    label,
    failed: 'Failed to download the data. Please try again.', // S8.3
    perform: async () => {
      // After Cancel neither the file is saved nor a toast shown.
      const saved = await load(call, file, { signal, onProgress: show }).finally(() =>
        signal.throwIfAborted(),
      )
      saveFile(saved.name, saved.blob)
      return saved.name
    },
  })
  note(name, null)
}

const cancelled = () => new DOMException('The export was cancelled.', 'AbortError')

function note(name: string, progress: Progress | null): void {
  const next = new Map(store.get(exportsAtom))
  if (progress) next.set(name, progress)
  else next.delete(name)
  store.set(exportsAtom, next)
}

/** Saves a file through the browser's download. */
export function saveFile(file: string, blob: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = file
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
