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

/** Why a file was not stored: the service's own code (S8.14) and, where it answered, the HTTP status. */
export class UploadError extends Error {
  readonly status: number

  constructor({ code, status }: { code: string; status: number }) {
    super(status ? `${code} ${status}` : code)
    this.name = 'UploadError'
    this.status = status
  }
}

const store = getDefaultStore()

/** Not a part of the console as it starts: it comes with the first form that has a picture. */
const loadSdk = () => import('./firebase.ts').then(({ refusalOf, storeFile }) => ({ refusalOf, storeFile }))

/** Fetches the storage SDK ahead of the first upload, so that picking does not wait for it. */
export function prefetchStorage(): void {
  // An upload asks again.
  loadSdk().catch(() => null)
}

/**
 * Stores a picture; resolves to its address. Equal file names never overwrite: each gets a prefix of its own. It ends
 * with the session.
 */
export async function uploadImage(folder: Folder, file: File, uploading: Uploading): Promise<string> {
  const { firebase, apiHost } = store.get(configAtom)
  const token = store.get(sessionAtom)?.token ?? ''
  // Another host's token is none of our own storage's business.
  if (!firebase && apiHost) throw new UploadError({ code: 'storage/no-default-bucket', status: 0 })
  // A file that has gone since it was picked would pass for a dead network.
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

/** The end of a file name, so short that its percent-encoded address fits into a record. */
function objectName(name: string): string {
  return [...name.replace(/[/\\\p{Cc}\p{Cs}]/gu, '_')].slice(-100).join('')
}

/** Our own storage moves with the console, to whatever host and port. */
function hostRelative(address: string): string {
  const { pathname, search } = new URL(address)
  return pathname + search
}
