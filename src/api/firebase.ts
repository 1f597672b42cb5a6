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
  // Between two tries the SDK waits for up to a minute; back online it need not.
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

/** The service's own code of an error (S8.14) and its HTTP status, 0 where it did not answer. */
export function refusalOf(error: unknown): { code: string; status: number } | null {
  return error instanceof StorageError ? { code: error.code, status: error.status } : null
}

/** The storage of a Firebase project, or our own, which speaks the same and takes `token` for its credential. */
function storageOf(project: FirebaseOptions | null, token: string): FirebaseStorage {
  const as = project ? 'project' : token
  if (connected?.as === as) return getStorage(connected.app)
  // An app keeps its first token; what it still uploads ends with it.
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
  // It would speak http whatever the page does.
  if (isSecure) Object.assign(storage, { _protocol: 'https' })
}

async function addressAfter(task: UploadTask): Promise<string> {
  const { ref: stored } = await task
  return getDownloadURL(stored)
}
