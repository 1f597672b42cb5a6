import { afterEach, beforeEach, vi } from 'vitest'

/** Stands in for IndexedDB, which jsdom does not have. Stored values are copies and stay for the next page. */
export const disk = new Map<string, unknown>()

/** Refuses all further writes, as a full or blocked disk does. */
export const refuseWrites = () => {
  isFull = true
}

let isFull = false

const later = <Result>(result: Result, isRefused = false) => {
  const request = { result, error: new DOMException('The disk is full.', 'QuotaExceededError') }
  const handlers: { onsuccess?: () => void; oncomplete?: () => void; onerror?: () => void } = {}
  queueMicrotask(() => {
    if (isFull || isRefused) handlers.onerror?.()
    else (handlers.oncomplete ?? handlers.onsuccess)?.()
  })
  return Object.assign(handlers, request)
}

const objectStore = {
  put: (value: unknown, key: string) => isFull || disk.set(key, copyOf(value)),
  delete: (key: string) => disk.delete(key),
  get: (key: string) => later(disk.get(key)),
  getAll: () => later([...disk.values()]),
  getAllKeys: () => later([...disk.keys()]),
  get transaction() {
    return Object.assign(later(undefined), { commit: () => undefined })
  },
}

/** Copies values but not files: Node's structuredClone does not accept jsdom's files. */
function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof File) return value
  if (Array.isArray(value)) return value.map(copyOf)
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copyOf(part)]))
}

/** For all tests of a file: each begins with an empty database. */
export function useDisk(): void {
  beforeEach(() => {
    disk.clear()
    isFull = false
    vi.stubGlobal('indexedDB', {
      // Opening any other database fails; the storage SDK works without its own.
      open: (name: string) =>
        later({ transaction: () => ({ objectStore: () => objectStore }) }, name !== 'oms'),
    })
  })
  afterEach(() => {
    disk.clear()
  })
}
