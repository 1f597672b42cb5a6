import { afterEach, beforeEach, vi } from 'vitest'

/** An upload that was begun and waits for what the test says of it. */
interface BegunUpload {
  address: string
  headers: Record<string, string>
  file: File
  isAborted: boolean
  progress(fraction: number): void
  answer(status: number, json: unknown): void
  lose(): void
}

/** Every upload of this test, in order. */
export const uploads: BegunUpload[] = []

/** jsdom would really connect. */
class HeldRequest {
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {}
  responseType = ''
  response: unknown = null
  status = 0
  onload?: () => void
  onerror?: () => void
  onabort?: () => void
  #address = ''
  #headers: Record<string, string> = {}
  #begun: BegunUpload | undefined

  open(_method: string, address: string): void {
    this.#address = address
  }

  setRequestHeader(name: string, value: string): void {
    this.#headers[name] = value
  }

  send(file: File): void {
    this.#begun = {
      address: this.#address,
      headers: this.#headers,
      file,
      isAborted: false,
      progress: (fraction) => this.upload.onprogress?.({ loaded: fraction * 100, total: 100 }),
      answer: (status, json) => {
        this.status = status
        this.response = json
        this.onload?.()
      },
      lose: () => this.onerror?.(),
    }
    uploads.push(this.#begun)
  }

  abort(): void {
    if (this.#begun) this.#begun.isAborted = true
    this.onabort?.()
  }
}

beforeEach(() => {
  uploads.length = 0
  vi.stubGlobal('XMLHttpRequest', HeldRequest)
})
afterEach(() => {
  uploads.length = 0
})
