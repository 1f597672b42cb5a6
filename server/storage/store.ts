import type { Readable } from 'node:stream'

/**
 * Where pictures and uploads are kept: on the disk, or in a bucket of an object storage. A key is a path with one folder:
 * `objects/<hash>.json`. Texts are small. Contents are the bytes of pictures: they grow until they are finished.
 */
export interface Store {
  /** Null if there is no such text. */
  readText: (key: string) => Promise<string | null>
  /** Replaces a text atomically. It then survives a power failure. */
  writeText: (key: string, text: string) => Promise<void>
  /** Removes a text or a finished content. Resolves to false if the store knows that there was none. */
  remove: (key: string) => Promise<boolean>
  /** The texts and contents in a folder, without the parts of unfinished contents if the store keeps these elsewhere. */
  list: (folder: 'objects' | 'uploads' | 'parts') => Promise<Entry[]>

  /** Begins a content without bytes. */
  create: (key: string) => Promise<void>
  /** Null if there is no such content, finished or not. */
  progress: (key: string) => Promise<Progress | null>
  /**
   * Writes at `offset`, over the bytes of an interrupted attempt, and resolves to the new length. Throws HttpError 409 if the
   * offset is beyond the bytes received, 413 if there are more than `most` bytes.
   */
  append: (key: string, offset: number, bytes: AsyncIterable<Buffer>, most: number) => Promise<number>
  /** All bytes of a content, finished or not. */
  bytes: (key: string) => AsyncIterable<Buffer>
  /** Makes a complete content readable. `sha256` is the checksum of its bytes, in hexadecimal digits. */
  finish: (key: string, content: { size: number; sha256: string }) => Promise<void>
  /** Removes what a finished content no longer needs. */
  tidy: (key: string) => Promise<void>
  /** Removes a content, finished or not. */
  discard: (key: string) => Promise<void>
  /** A range of a finished content, `last` included. Null if there is no such content. */
  read: (key: string, range: { first: number; last: number }) => Promise<Readable | null>
}

export interface Entry {
  /** Without the folder. */
  name: string
  /** When it was written last, in milliseconds. */
  modified: number
}

interface Progress {
  /** How many bytes have been received. */
  received: number
  /** When the last of them were written, in milliseconds. */
  modified: number
}
