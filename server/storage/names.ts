import { HttpError } from '../http-error.ts'
import type { StoredObject } from './objects.ts'

/** The only bucket, `gs://oms`. */
export const bucket = 'oms'
export const objectsPath = `/v0/b/${bucket}/o`

/** Throws HttpError 400. */
export function checkName(name: string): string {
  const isDotted = name.split('/').some((segment) => segment === '.' || segment === '..')
  if (name === '' || Buffer.byteLength(name) > 1024 || /[\0\r\n]/.test(name) || isDotted)
    throw new HttpError(400, 'The file name is invalid.')
  return name
}

/** Images of attractions and images of blogs have a folder each (S7.37). Throws HttpError 400, 403. */
export function checkWritable(name: string): void {
  if (!/^(files|uploads)\/[^]/.test(checkName(name)))
    throw new HttpError(403, 'Files can be written to files/ and uploads/ only.')
}

/** A Content-Disposition header (RFC 6266): an ASCII file name for old clients, and the exact one. */
export function disposition(name: string): string {
  const file = name.slice(name.lastIndexOf('/') + 1) || 'file'
  const plain = file.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const exact = encodeURIComponent(file).replaceAll(
    /['()*!]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  )
  return `inline; filename="${plain}"; filename*=utf-8''${exact}`
}

/** An object as the JSON of the Firebase Storage protocol. */
export function resourceOf(object: StoredObject) {
  const { name, type, size, md5, token, generation, metageneration, created, updated, kept } = object
  return {
    name,
    bucket,
    generation: String(generation),
    metageneration: String(metageneration),
    contentType: type,
    timeCreated: new Date(created).toISOString(),
    updated: new Date(updated).toISOString(),
    storageClass: 'STANDARD',
    size: String(size),
    md5Hash: md5,
    etag: `${generation}/${metageneration}`,
    downloadTokens: token,
    contentEncoding: 'identity',
    contentDisposition: disposition(name),
    ...kept.texts,
    ...(Object.keys(kept.custom).length > 0 && { metadata: kept.custom }),
  }
}

/**
 * Removes the host from an address in this storage, so that it stays valid when the server gets another name. Any other
 * address stays as it is.
 */
export function withoutHost(url: string): string {
  if (!URL.canParse(url)) return url
  const { hostname, pathname, search } = new URL(url)
  const isOurs = pathname.startsWith(`${objectsPath}/`) && hostname !== 'firebasestorage.googleapis.com'
  return isOurs ? pathname + search : url
}
