import type { IncomingMessage } from 'node:http'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setTimeout as wait } from 'node:timers/promises'
import { HttpError } from '../http-error.ts'
import { OperatorError } from '../operator-error.ts'
import type { S3Access } from './s3-signature.ts'
import { sha256Of, signed } from './s3-signature.ts'

export interface S3Options extends S3Access {
  /** The address of the bucket: `https://host/bucket` or `https://bucket.host`. */
  url: string
}

interface S3Request {
  method: 'GET' | 'PUT' | 'DELETE'
  /** None for the bucket itself. */
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Buffer | { size: number; sha256: string; open: () => AsyncIterable<Buffer> }
}

/** An answer of the object storage that is no success, with its status and code: `403 AccessDenied`. */
class S3Refusal extends Error {
  readonly status: number

  constructor(status: number, code: string, { method, key = '' }: S3Request) {
    super(`The object storage answered ${status} ${code} to ${method} /${key}`.trimEnd())
    this.status = status
  }
}

/** In milliseconds: an attempt ends when nothing was sent or received for so long. */
const patience = 5_000
/** In milliseconds: the same while a client reads an answer, which may be slow. */
const readPatience = 60_000
/** In milliseconds: how long to wait before each further attempt. */
const pauses = [100, 400]

/**
 * Sends a request to the bucket. After a network error, 429 or 5xx it tries again. Resolves to null for a missing key. Throws
 * HttpError 503 with the S3Refusal or the network error as its cause.
 */
export async function askBucket(options: S3Options, request: S3Request): Promise<IncomingMessage | null> {
  for (const pause of [...pauses, null]) {
    try {
      const answer = await attempt(options, request)
      const { statusCode: status = 0 } = answer
      if (status < 300) return answer
      const code = /<Code>(\w+)<\/Code>/.exec(await text(answer))?.[1] ?? ''
      if (status === 404 && request.key && code !== 'NoSuchBucket') return null
      throw new S3Refusal(status, code, request)
    } catch (cause) {
      const isFinal = cause instanceof S3Refusal && cause.status < 500 && cause.status !== 429
      if (isFinal || pause === null)
        throw new HttpError(503, 'The storage of pictures is not available. Try again later.', {
          retryAfter: 5,
          cause,
        })
      await wait(pause)
    }
  }
  return null
}

/**
 * Checks at the start whether the bucket can be read. Throws OperatorError if the object storage refuses that. If it does not
 * answer, the server can start, and `notice` receives a warning.
 */
export async function checkBucket(options: S3Options, notice: (text: string) => void): Promise<void> {
  try {
    const query = { 'list-type': '2', prefix: 'objects/', 'max-keys': '1' }
    const answer = await askBucket(options, { method: 'GET', query })
    answer?.resume()
  } catch (error) {
    const cause = error instanceof HttpError ? error.cause : error
    if (cause instanceof S3Refusal && cause.status < 500)
      throw new OperatorError(`The bucket ${options.url} (OMS_S3_URL) cannot be used. ${cause.message}.`)
    notice(`The bucket ${options.url} cannot be reached, so pictures are not available. ${String(cause)}`)
  }
}

function attempt(options: S3Options, request: S3Request): Promise<IncomingMessage> {
  const { method, key, query = {}, headers = {}, body = Buffer.alloc(0) } = request
  const search = Object.entries(query).map((pair) => pair.map(encodeURIComponent).join('='))
  const url = new URL(options.url + (key === undefined ? '/' : `/${key}`))
  url.search = search.join('&')
  const [size, sha256] = Buffer.isBuffer(body) ? [body.length, sha256Of(body)] : [body.size, body.sha256]
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const outgoing = send(url, {
      method,
      headers: {
        ...signed({ method, url, sha256, headers }, options, Date.now()),
        ...(method === 'PUT' && { 'content-length': size }),
      },
      timeout: patience,
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('The object storage did not answer in time.')))
    outgoing.on('error', reject)
    outgoing.on('response', (answer) => {
      outgoing.setTimeout(readPatience)
      resolve(answer)
    })
    if (Buffer.isBuffer(body)) outgoing.end(body)
    else pipeline(Readable.from(body.open()), outgoing).catch(reject)
  })
}
