import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FirebaseApp } from 'firebase/app'
import { deleteApp, initializeApp } from 'firebase/app'
import type { FirebaseStorage } from 'firebase/storage'
import { connectStorageEmulator, getStorage } from 'firebase/storage'
import { afterEach, beforeEach } from 'vitest'

/** The real SDK with the configuration of the console. It is closed after each test. */
export function useSdk(): (url: string, token: string) => FirebaseStorage {
  const apps: FirebaseApp[] = []
  afterEach(async () => {
    for (const app of apps.splice(0)) await deleteApp(app)
  })
  return (url, token) => {
    const app = initializeApp(
      { storageBucket: 'oms', apiKey: 'oms', projectId: 'oms', appId: 'oms' },
      randomUUID(),
    )
    apps.push(app)
    const storage = getStorage(app)
    const { hostname, port } = new URL(url)
    connectStorageEmulator(storage, hostname, Number(port), { mockUserToken: token })
    return storage
  }
}

/** A new data folder for each test. */
export function useDataFolder(): () => string {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'oms-storage-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  return () => folder
}

/** The paths of all files in a folder, relative to it. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted()
}

/** A file of the given size that starts as a PNG. All its blocks of 4 KiB are different. */
export function png(size: number): Buffer {
  const bytes = Buffer.alloc(size, 'Twende')
  for (let at = 0; at + 4 <= size; at += 4096) bytes.writeUInt32LE(at, at)
  bytes.write('\x89PNG\r\n\x1a\n', 'latin1')
  return bytes
}

/** The headers and the body of an upload in one request. */
export function multipart(bytes: Buffer, metadata: object | string = {}) {
  const text = typeof metadata === 'string' ? metadata : JSON.stringify(metadata)
  return {
    headers: { 'x-goog-upload-protocol': 'multipart', 'content-type': 'multipart/related; boundary=edge' },
    payload: Buffer.concat([
      Buffer.from(`--edge\r\nContent-Type: application/json; charset=utf-8\r\n\r\n${text}\r\n`),
      Buffer.from('--edge\r\nContent-Type: image/png\r\n\r\n'),
      bytes,
      Buffer.from('\r\n--edge--'),
    ]),
  }
}
