import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { buffer } from 'node:stream/consumers'

interface Stored {
  bytes: Buffer
  modified: number
}

export interface S3Server {
  options: { url: string; region: string; keyId: string; secret: string }
  /** By key. Tests change it directly. */
  stored: Map<string, Stored>
  /** Requests that were answered: `GET objects/…`. */
  asked: string[]
  /** What a test wants instead of the right answer: a status, or null to close the connection. */
  fault: (asked: string) => number | null | undefined
  close: () => Promise<void>
}

/**
 * A stand-in for an object storage, with one bucket in memory: the calls that the storage uses, as Amazon's API reference
 * describes them. It refuses requests with a wrong signature or checksum, and unknown parameters.
 */
export async function startS3(): Promise<S3Server> {
  const stored = new Map<string, Stored>()
  const asked: string[] = []
  const access = { region: 'af-south-1', keyId: 'oms', secret: 'secret/of+oms' }
  const server = createServer((request, response) => {
    void answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const running: S3Server = {
    options: { url: `http://127.0.0.1:${port}/pictures`, ...access },
    stored,
    asked,
    fault: () => undefined,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const refuse = (status: number, code: string) =>
      response
        .writeHead(status, { 'content-type': 'application/xml' })
        .end(`<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>No.</Message></Error>`)
    const body = await buffer(request).catch(() => null)
    if (!body) return
    const url = new URL(request.url ?? '', 'http://s3')
    const [, bucket, key = ''] = /^\/([^/]*)\/?(.*)$/.exec(url.pathname) ?? []
    const what = `${request.method} ${key || url.searchParams.get('prefix')}`
    asked.push(what)
    const fault = running.fault(what)
    if (fault === null) return request.socket.destroy()
    if (fault !== undefined) return refuse(fault, fault === 403 ? 'AccessDenied' : 'SlowDown')
    if (bucket !== 'pictures') return refuse(404, 'NoSuchBucket')
    if (
      signatureOf(request, url, access) !== /Signature=(\w+)$/.exec(request.headers.authorization ?? '')?.[1]
    )
      return refuse(403, 'SignatureDoesNotMatch')
    if (request.headers['x-amz-content-sha256'] !== createHash('sha256').update(body).digest('hex'))
      return refuse(400, 'XAmzContentSHA256Mismatch')
    if (key === '') return list(url.searchParams, response)
    if (request.method === 'PUT') {
      if (request.headers['content-length'] === undefined) return refuse(411, 'MissingContentLength')
      stored.set(key, { bytes: body, modified: Date.now() })
      return response.writeHead(200).end()
    }
    if (request.method === 'DELETE') {
      stored.delete(key)
      return response.writeHead(204).end()
    }
    const found = stored.get(key)
    if (!found) return refuse(404, 'NoSuchKey')
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
    if (first === undefined) return response.writeHead(200).end(found.bytes)
    if (Number(first) >= found.bytes.length) return refuse(416, 'InvalidRange')
    return response.writeHead(206).end(found.bytes.subarray(Number(first), Number(last) + 1))
  }

  /** Pages of three, so that tests see several. */
  function list(query: URLSearchParams, response: ServerResponse) {
    const {
      prefix = '',
      'start-after': after = '',
      'list-type': type,
      'max-keys': most = '3',
      ...unknown
    } = Object.fromEntries(query)
    if (type !== '2' || Object.keys(unknown).length > 0) return response.writeHead(400).end()
    const keys = [...stored.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted()
    const entries = keys.slice(0, Number(most)).map((key) => {
      const { bytes, modified } = stored.get(key) ?? { bytes: Buffer.alloc(0), modified: 0 }
      const time = new Date(modified).toISOString()
      return `<Contents><Key>${key}</Key><LastModified>${time}</LastModified><Size>${bytes.length}</Size></Contents>`
    })
    return response
      .writeHead(200, { 'content-type': 'application/xml' })
      .end(
        `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult><IsTruncated>${keys.length > Number(most)}</IsTruncated>${entries.join('\n')}</ListBucketResult>`,
      )
  }
  return running
}

/** Written after Amazon's description of Signature Version 4, independently of the server's code. */
function signatureOf(
  { method, headers, url: target = '' }: IncomingMessage,
  { searchParams }: URL,
  { region, keyId, secret }: { region: string; keyId: string; secret: string },
): string {
  const date = String(headers['x-amz-date'])
  const day = date.slice(0, 8)
  const age = Math.abs(Date.now() - Date.parse(date.replace(/(....)(..)(..T..)(..)(..Z)/, '$1-$2-$3:$4:$5')))
  const [, credential, names = ''] =
    /^AWS4-HMAC-SHA256 Credential=(\S+), ?SignedHeaders=(\S+), ?Signature=/.exec(
      headers.authorization ?? '',
    ) ?? []
  if (credential !== `${keyId}/${day}/${region}/s3/aws4_request` || !(age < 15 * 60_000)) return 'none'
  if (!/^host;.*x-amz-content-sha256;x-amz-date$/.test(names)) return 'none'
  searchParams.sort()
  const query = [...searchParams].map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  )
  const lines = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`)
  const canonical = `${method}\n${target.split('?')[0]}\n${query.join('&')}\n${lines.join('')}\n${names}\n${String(headers['x-amz-content-sha256'])}`
  const hash = createHash('sha256').update(canonical).digest('hex')
  const mac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest()
  const key = mac(mac(mac(mac(`AWS4${secret}`, day), region), 's3'), 'aws4_request')
  return mac(key, `AWS4-HMAC-SHA256\n${date}\n${day}/${region}/s3/aws4_request\n${hash}`).toString('hex')
}
