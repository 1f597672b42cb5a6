import type { Subject } from './subjects.ts'

/** Where the product's calls begin. */
export const api = '/api/v1/oms/'

/** Asks, reads the whole answer without keeping it, and returns the time in ms. Throws if the status is not 2xx. */
export async function timed(
  { url, headers }: Pick<Subject, 'url' | 'headers'>,
  path: string,
  request: {
    method?: string
    headers?: Record<string, string>
    body?: Buffer<ArrayBuffer>
    signal?: AbortSignal
  } = {},
): Promise<number> {
  const start = performance.now()
  const answer = await fetch(url + path, { ...request, headers: { ...headers, ...request.headers } })
  await answer.body?.pipeTo(new WritableStream())
  if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}.`)
  return performance.now() - start
}

/** Asks for JSON. */
export async function read({ url, headers }: Subject, path: string): Promise<unknown> {
  return (await fetch(url + path, { headers })).json()
}
