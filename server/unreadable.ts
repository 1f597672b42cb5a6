import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { bareHeaders } from './policy.ts'

/** The status and message of each error of Node's parser that is not simply a malformed request. */
const known: Record<string, [status: number, message: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long.'],
  HPE_HEADER_OVERFLOW: [431, 'The headers of the request are too large.'],
}

/** Answers bytes that are no HTTP request, which never reach a route or a hook, and closes the connection. */
export function refuseUnreadable(error: Error & { code: string }, socket: Socket): void {
  // There is nobody to answer.
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [status, message] = known[error.code] ?? [400, 'The request is malformed.']
  const body = JSON.stringify({ message })
  const headers = {
    ...bareHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  if (socket.writable)
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n${body}`)
  socket.destroy(error)
}
