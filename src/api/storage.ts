import { send } from './client.ts'
import { isRow } from './loose.ts'

/** Where a picture goes: `files` for attractions, `uploads` for blogs (S7.37). */
export type Folder = 'files' | 'uploads'

interface Uploading {
  /** From 0 to 1. */
  onProgress: (fraction: number) => void
  signal: AbortSignal
}

/** Stores a picture; resolves to its address. Equal file names never overwrite: each gets a prefix of its own. */
export async function uploadImage(folder: Folder, file: File, uploading: Uploading): Promise<string> {
  const name = `${folder}/${crypto.randomUUID()}-${file.name}`
  const answer = await send(`uploads/?name=${encodeURIComponent(name)}`, file, uploading)
  if (isRow<{ url: string }>(answer) && typeof answer.url === 'string' && answer.url) return answer.url
  throw new TypeError('The answer holds no address.')
}
