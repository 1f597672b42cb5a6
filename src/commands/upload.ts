import { atom, getDefaultStore } from 'jotai'
import type { Folder } from '../api/storage.ts'
import { UploadError, uploadImage } from '../api/storage.ts'
import { fileSize } from '../format.ts'

export interface Upload {
  /** From 0 to 1. */
  fraction: number
  /** Nothing has moved for a while: the SDK retries for ten minutes (S9.13) and says nothing. */
  isWaiting: boolean
  cancel: () => void
}

/** In milliseconds. */
const stillness = 5000
const store = getDefaultStore()

/** Uploads under way, by the id of the draft whose picture it is. */
export const uploadsAtom = atom<ReadonlyMap<string, Upload>>(new Map())

/** Uploads a picture of a draft, visibly; resolves to its address. Called off, it rejects with an AbortError. */
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

/** Why choosing another picture would help; blank where it would not. */
export function noteOf(error: unknown, { name, size }: File): string {
  const status = error instanceof UploadError ? error.status : 0
  if (status === 413) return `${name} is too large to be stored: ${fileSize(size)}`
  if (status === 415) return `${name} is no picture that can be stored`
  if (error instanceof DOMException && error.name.startsWith('Not'))
    return `${name} cannot be read any more: choose it again`
  return ''
}
