import { afterEach, beforeEach, vi } from 'vitest'

/** An upload that the storage SDK has started; the test decides how it continues. */
interface BegunUpload {
  /** Path and query of the first request; `origin` and `headers` are of the same request. */
  address: string
  origin: string
  headers: Record<string, string>
  /** The download address that the console must store. */
  url: string
  isAborted: boolean
  /** Reports a fraction of the whole file as sent; only files above 256 KiB report progress (S9.13). */
  progress(fraction: number): void
  /** Answers the upload; status 200 stores the file. */
  answer(status: number): void
  /** Breaks the connection, after which the SDK retries by itself. */
  lose(): void
}

/** Every upload of this test, in order. */
export const uploads: BegunUpload[] = []

/** The state of an upload's requests. */
interface Course {
  upload: BegunUpload
  /** The unanswered request; null for a large file from the answer to its first request until its chunk is sent. */
  request: StorageRequest | null
  /** The status that the test gave before the request was sent; 0 if none. */
  status: number
  size: number
}

const courses = new Map<string, Course>()

/** Replaces jsdom's XMLHttpRequest, which would open a connection. Uploads are answered only by the test. */
class StorageRequest extends EventTarget {
  upload = new EventTarget()
  responseType = ''
  response = ''
  status = 0
  statusText = ''
  offset = 0
  #method = ''
  #url = new URL('about:blank')
  #sent: Record<string, string> = {}
  #received = new Headers()

  open(method: string, address: string): void {
    this.#method = method
    this.#url = new URL(address, window.location.href)
  }

  setRequestHeader(name: string, value: string): void {
    this.#sent[name.toLowerCase()] = value
  }

  getResponseHeader(name: string): string | null {
    return this.#received.get(name)
  }

  send(body?: Blob | string): void {
    const { pathname, searchParams } = this.#url
    const course = courses.get(pathname)
    if (this.#method === 'GET') this.reply(200)
    else if (course) this.#continue(course)
    else this.#begin(searchParams.get('name') ?? '', body)
  }

  /** The body of every answer is the metadata of the file. */
  reply(status: number, headers: Record<string, string> = {}): void {
    this.status = status
    this.#received = new Headers(headers)
    const { pathname, searchParams } = this.#url
    const name = searchParams.get('name') ?? decodeURIComponent(pathname.split('/').at(-1) ?? '')
    const bucket = pathname.split('/')[3]
    this.response = JSON.stringify({ name, bucket, downloadTokens: 'given' })
    this.dispatchEvent(new Event('load'))
  }

  abort(): void {
    for (const { request, upload } of courses.values()) if (request === this) upload.isAborted = true
    this.dispatchEvent(new Event('abort'))
  }

  #begin(name: string, body: Blob | string | undefined): void {
    const isResumable = this.#sent['x-goog-upload-protocol'] === 'resumable'
    const size = Number(
      this.#sent['x-goog-upload-header-content-length'] ?? (body instanceof Blob ? body.size : 0),
    )
    const path = `/v0/upload/${uploads.length}`
    const { origin, pathname } = this.#url
    const host = origin === window.location.origin ? '' : origin
    const url = `${host}${pathname}/${encodeURIComponent(name)}?alt=media&token=given`
    const upload = uploadOf(path, url, this.#url, this.#sent)
    const course: Course = { upload, request: isResumable ? null : this, status: 0, size }
    courses.set(path, course)
    uploads.push(course.upload)
    if (!isResumable) return
    // The answer gives the SDK the address for the chunks, on the origin of the first request.
    setTimeout(() =>
      this.reply(200, { 'x-goog-upload-status': 'active', 'x-goog-upload-url': this.#url.origin + path }),
    )
  }

  #continue(course: Course): void {
    course.request = this
    this.offset = Number(this.#sent['x-goog-upload-offset'])
    if (course.status) finish(this, course.status)
  }
}

function uploadOf(
  path: string,
  url: string,
  { origin, pathname, search }: URL,
  headers: Record<string, string>,
) {
  const course = () => {
    const found = courses.get(path)
    if (!found) throw new Error('This upload belongs to an earlier test.')
    return found
  }
  return {
    address: pathname + search,
    origin,
    headers,
    url,
    isAborted: false,
    progress: (fraction: number) => {
      const { request, size } = course()
      const loaded = fraction * size - (request?.offset ?? 0)
      request?.upload.dispatchEvent(
        new ProgressEvent('progress', { loaded, total: size, lengthComputable: true }),
      )
    },
    answer: (status: number) => {
      const { request } = course()
      if (request) finish(request, status)
      else course().status = status
    },
    lose: () => void course().request?.dispatchEvent(new Event('error')),
  }
}

const finish = (request: StorageRequest, status: number) =>
  request.reply(status, { 'x-goog-upload-status': 'final' })

const forget = () => {
  uploads.length = 0
  courses.clear()
}
/** For all tests of a file: no upload leaves the page. */
export function useUploads(): void {
  beforeEach(() => {
    forget()
    vi.stubGlobal('XMLHttpRequest', StorageRequest)
  })
  afterEach(forget)
}
