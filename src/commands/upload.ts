import { atom, getDefaultStore } from 'jotai'
import type { Folder } from '../api/storage.ts'
import { UploadError, uploadImage } from '../api/storage.ts'
import { fileSize } from '../file-size.ts'

export interface Upload {
  /** From 0 to 1. */
  fraction: number
  /** No progress for 5 seconds: the SDK retries for ten minutes (S9.13) without reporting it. */
  isWaiting: boolean
  cancel: () => void
}

/** How long an upload can be without progress before it counts as waiting, in milliseconds. */
const stillness = 5000
const store = getDefaultStore()

/** Running uploads, by the id of the draft that the picture belongs to. */
export const uploadsAtom = atom<ReadonlyMap<string, Upload>>(new Map())

/** Uploads a draft's picture and shows the progress. Resolves to its address; rejects with an AbortError on Cancel. */
export async function upload(
  draft: string,
  folder: Folder,
  file: File,
  request: AbortController,
): Promise<string> {
  let timer = 0
  const show = (fraction: number, isWaiting = false) => {
    window.clearTimeout(timer)
    if (!isWaiting) timer = window.setTimeout(() => show(fraction, true), stillness)
    const cancel = () => request.abort()
    store.set(uploadsAtom, new Map(store.get(uploadsAtom)).set(draft, { fraction, isWaiting, cancel }))
  }
  show(0)
  try {
    const onProgress = (fraction: number) => show(fraction)
    return await uploadImage(folder, file, { onProgress, signal: request.signal })
  } finally {
    window.clearTimeout(timer)
    const others = new Map(store.get(uploadsAtom))
    others.delete(draft)
    store.set(uploadsAtom, others)
  }
}

/** The error text of a failure that only another picture can avoid; blank for other failures. */
export function noteOf(error: unknown, { name, size }: File): string {
  const status = error instanceof UploadError ? error.status : 0
  if (status === 413) return `${name} is too large to be stored: ${fileSize(size)}`
  if (status === 415) return `${name} is no picture that can be stored`
  if (error instanceof DOMException && error.name.startsWith('Not'))
    return `${name} cannot be read any more: choose it again`
  return ''
}
