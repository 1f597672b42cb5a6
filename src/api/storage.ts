import { getDefaultStore } from 'jotai'
import { newId } from '../state/id.ts'
import { endSession, sessionAtom } from '../state/session.ts'
import { configAtom } from './config.ts'

/** Where a picture goes: `files` for attractions, `uploads` for blogs (S7.37). */
export type Folder = 'files' | 'uploads'

interface Uploading {
  /** From 0 to 1. */
  onProgress: (fraction: number) => void
  signal: AbortSignal
}

/** Why a file was not stored: the storage service's error code (S8.14) and the HTTP status, 0 without an answer. */
export class UploadError extends Error {
  readonly status: number

  constructor({ code, status }: { code: string; status: number }) {
    super(status ? `${code} ${status}` : code)
    this.name = 'UploadError'
    this.status = status
  }
}

const store = getDefaultStore()

/** Not part of the first bundle: loaded when the first form with a picture opens. */
const loadSdk = () => import('./firebase.ts').then(({ refusalOf, storeFile }) => ({ refusalOf, storeFile }))

/** Fetches the storage SDK ahead of the first upload, so that picking does not wait for it. */
export function prefetchStorage(): void {
  // The upload loads it again and reports the error.
  loadSdk().catch(() => null)
}

/**
 * Stores a picture; resolves to its address. A unique prefix keeps files with equal names from overwriting each other.
 * The end of the session aborts the upload.
 */
export async function uploadImage(folder: Folder, file: File, uploading: Uploading): Promise<string> {
  const { firebase, apiHost } = store.get(configAtom)
  const token = store.get(sessionAtom)?.token ?? ''
  // Our own storage must not get the token of another host.
  if (!firebase && apiHost) throw new UploadError({ code: 'storage/no-default-bucket', status: 0 })
  // Rejects if the file was deleted after it was picked. The SDK would report that as a network failure.
  await file.slice(0, 1).arrayBuffer()
  const { refusalOf, storeFile } = await loadSdk()
  const name = `${folder}/${newId()}-${objectName(file.name)}`
  const session = new AbortController()
  const isCurrent = () => store.get(sessionAtom)?.token === token
  const unsubscribe = store.sub(sessionAtom, () => isCurrent() || session.abort())
  const signal = AbortSignal.any([uploading.signal, session.signal])
  try {
    const address = await storeFile(name, file, { ...uploading, signal, project: firebase, token })
    return firebase ? address : hostRelative(address)
  } catch (error) {
    const refusal = refusalOf(error)
    if (!firebase && refusal?.status === 401 && isCurrent()) endSession()
    throw refusal ? new UploadError(refusal) : error
  } finally {
    unsubscribe()
  }
}

/** The last 100 characters of a file name, so that its percent-encoded address fits into a record. */
function objectName(name: string): string {
  return [...name.replace(/[/\\\p{Cc}\p{Cs}]/gu, '_')].slice(-100).join('')
}

/** An address without host and port stays valid when the console moves to another host. */
function hostRelative(address: string): string {
  const { pathname, search } = new URL(address)
  return pathname + search
}
