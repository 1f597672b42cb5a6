import { createHash, createHmac } from 'node:crypto'

export interface S3Access {
  region: string
  keyId: string
  secret: string
}

interface Unsigned {
  method: string
  url: URL
  /** Of the body, in hexadecimal digits. */
  sha256: string
  /** More headers to sign, with names in lower case. */
  headers?: Record<string, string>
}

export const sha256Of = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/**
 * The headers of a request with its signature (AWS Signature Version 4). The path and the query of the URL must be
 * percent-encoded as the signature demands, which is true of the keys and parameters that the storage uses.
 */
export function signed({ method, url, sha256, headers = {} }: Unsigned, access: S3Access, now: number) {
  const time = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '')
  const scope = [time.slice(0, 8), access.region, 's3', 'aws4_request']
  const all = { ...headers, host: url.host, 'x-amz-content-sha256': sha256, 'x-amz-date': time }
  const sorted = Object.entries(all).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const names = sorted.map(([name]) => name).join(';')
  const canonical = [
    method,
    url.pathname,
    url.search.slice(1).split('&').toSorted().join('&'),
    ...sorted.map(([name, value]) => `${name}:${value}`),
    '',
    names,
    sha256,
  ].join('\n')
  const text = ['AWS4-HMAC-SHA256', time, scope.join('/'), sha256Of(canonical)].join('\n')
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${access.secret}`)
  const signature = hmac(key, text).toString('hex')
  const credential = `${access.keyId}/${scope.join('/')}`
  return {
    ...all,
    authorization: `AWS4-HMAC-SHA256 Credential=${credential},SignedHeaders=${names},Signature=${signature}`,
  }
}
