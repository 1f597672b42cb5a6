import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { useServer } from '../support/server.ts'

describe('bytes that are no HTTP request', () => {
  const server = useServer('sqlite', { scope: 'suite' })
  let port = 0
  beforeAll(async () => {
    port = Number(new URL(await server().app.listen({ port: 0, host: '127.0.0.1' })).port)
  })

  async function answerTo(bytes: string): Promise<{ status: number; head: string; body: unknown }> {
    const socket = connect(port, '127.0.0.1')
      .setEncoding('utf8')
      .on('error', () => undefined)
    let answer = ''
    socket.on('data', (text: string) => (answer += text))
    socket.write(bytes)
    await once(socket, 'close')
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1]), head, body: JSON.parse(body) }
  }

  test.each([
    ['a line that is no request', 'hello\r\n\r\n', 400, 'The request is malformed.'],
    [
      'a header with a control character',
      'GET / HTTP/1.1\r\nhost: a\0b\r\n\r\n',
      400,
      'The request is malformed.',
    ],
    [
      'two lengths',
      'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n',
      400,
      'The request is malformed.',
    ],
    [
      'headers of 20 kB',
      `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'The headers of the request are too large.',
    ],
  ])(
    'get an answer with the headers of all answers: %s (reliability 8)',
    async (_what, bytes, status, message) => {
      const answer = await answerTo(bytes)
      expect(answer).toMatchObject({ status, body: { message } })
      for (const header of [
        'cache-control: no-store',
        "content-security-policy: default-src 'none'; frame-ancestors 'none'",
        'referrer-policy: no-referrer',
        'x-content-type-options: nosniff',
        'x-frame-options: DENY',
        'connection: close',
      ])
        expect(answer.head.split('\r\n')).toContain(header)
    },
  )

  test('do not disturb the next request', async () => {
    await answerTo('hello\r\n\r\n')
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
  })
})
