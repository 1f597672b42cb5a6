import type { FirebaseApp, FirebaseOptions } from 'firebase/app'
import { deleteApp, initializeApp } from 'firebase/app'
import type { FirebaseStorage, UploadTask } from 'firebase/storage'
import {
  connectStorageEmulator,
  getDownloadURL,
  getStorage,
  ref,
  StorageError,
  uploadBytesResumable,
} from 'firebase/storage'

/** S9.13, in milliseconds */
const operationRetry = 2 * 60_000
const uploadRetry = 10 * 60_000

let connected: { as: string; app: FirebaseApp } | undefined

interface Storing {
  /** A Firebase project; null is our own storage, whose credential is the session's token. */
  project: FirebaseOptions | null
  token: string
  /** From 0 to 1. */
  onProgress: (fraction: number) => void
  signal: AbortSignal
}

/** Stores a file under this name; resolves to its address. */
export async function storeFile(name: string, file: File, storing: Storing): Promise<string> {
  const { project, token, onProgress, signal } = storing
  signal.throwIfAborted()
  const task = uploadBytesResumable(ref(storageOf(project, token), name), file)
  const over = new AbortController()
  const called = Promise.withResolvers<never>()
  const callOff = () => {
    task.cancel()
    called.reject(new DOMException('The upload was cancelled.', 'AbortError'))
  }
  // Between two attempts the SDK waits for up to a minute. This restarts it at once when the network is back.
  const tryAtOnce = () => {
    if (task.pause()) task.resume()
  }
  task.on('state_changed', ({ bytesTransferred, totalBytes }) =>
    onProgress(bytesTransferred / (totalBytes || 1)),
  )
  signal.addEventListener('abort', callOff, { signal: over.signal })
  window.addEventListener('online', tryAtOnce, { signal: over.signal })
  try {
    return await Promise.race([addressAfter(task), called.promise])
  } finally {
    over.abort()
  }
}

/** The error code of the storage service (S8.14) and its HTTP status, 0 without an answer; null for other errors. */
export function refusalOf(error: unknown): { code: string; status: number } | null {
  return error instanceof StorageError ? { code: error.code, status: error.status } : null
}

/** The storage of a Firebase project, or our own, which has the same protocol and takes `token` as its credential. */
function storageOf(project: FirebaseOptions | null, token: string): FirebaseStorage {
  const as = project ? 'project' : token
  if (connected?.as === as) return getStorage(connected.app)
  // The token of an app cannot be changed. Deleting the app ends its uploads.
  if (connected) void deleteApp(connected.app)
  const app = initializeApp(project ?? { storageBucket: 'oms' })
  connected = { as, app }
  const storage = getStorage(app)
  storage.maxOperationRetryTime = operationRetry
  storage.maxUploadRetryTime = uploadRetry
  if (!project) connectOwn(storage, token)
  return storage
}

function connectOwn(storage: FirebaseStorage, token: string): void {
  const { protocol, hostname, port } = window.location
  const isSecure = protocol === 'https:'
  connectStorageEmulator(storage, hostname, Number(port) || (isSecure ? 443 : 80), { mockUserToken: token })
  // connectStorageEmulator sets http, also on a page that came over https.
  if (isSecure) Object.assign(storage, { _protocol: 'https' })
}

async function addressAfter(task: UploadTask): Promise<string> {
  const { ref: stored } = await task
  return getDownloadURL(stored)
}
