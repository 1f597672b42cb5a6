import { afterEach, beforeEach, vi } from 'vitest'

/** An upload that the storage SDK began and that waits for what the test says of it. */
interface BegunUpload {
  /** The first request, and whose it is. */
  address: string
  origin: string
  headers: Record<string, string>
  /** What the console is to keep of it. */
  url: string
  isAborted: boolean
  /** Of the whole file; only what is above 256 KiB tells of it (S9.13). */
  progress(fraction: number): void
  /** 200 stores it. */
  answer(status: number): void
  /** The connection breaks: the SDK tries again by itself. */
  lose(): void
}

/** Every upload of this test, in order. */
export const uploads: BegunUpload[] = []

/** How far the requests of an upload have come. */
interface Course {
  upload: BegunUpload
  /** The one that waits; none between the first of a large file, which is answered at once, and its chunk. */
  request: StorageRequest | null
  /** An answer that came ahead of it. */
  status: number
  size: number
}

const courses = new Map<string, Course>()

/** The XMLHttpRequest of a storage that does nothing unless told; jsdom's would really connect. */
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

  /** Metadata is all that any answer holds. */
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
    // The SDK is told the address of its upload by its own server.
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
    if (!found) throw new Error('This upload is over.')
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
