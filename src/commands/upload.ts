import { atom, getDefaultStore } from 'jotai'
import type { Folder } from '../api/storage.ts'
import { uploadImage } from '../api/storage.ts'

interface Upload {
  /** From 0 to 1. */
  fraction: number
  cancel(): void
}

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
  const show = (fraction: number) =>
    store.set(
      uploadsAtom,
      new Map(store.get(uploadsAtom)).set(draft, { fraction, cancel: () => request.abort() }),
    )
  show(0)
  try {
    return await uploadImage(folder, file, { onProgress: show, signal: request.signal })
  } finally {
    const others = new Map(store.get(uploadsAtom))
    others.delete(draft)
    store.set(uploadsAtom, others)
  }
}
