import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { UploadAnswer } from '../../src/api/contract.ts'
import { engines } from '../support/engines.ts'
import { read, readProblem, useServer } from '../support/server.ts'

const dataFolder = mkdtempSync(join(tmpdir(), 'oms-uploads-'))
const folder = join(dataFolder, 'files')
afterAll(() => rmSync(dataFolder, { recursive: true }))

const uploadLimit = 1000
const filled = (head: string, length = 64) => Buffer.from(head.padEnd(length, 'x'), 'latin1')

const pictures: [type: string, extension: string, bytes: Buffer][] = [
  ['image/png', 'png', filled('\x89PNG\r\n\x1a\n')],
  ['image/jpeg', 'jpg', filled('\xff\xd8\xff\xe0')],
  ['image/gif', 'gif', filled('GIF89a')],
  ['image/gif', 'gif', filled('GIF87a')],
  ['image/webp', 'webp', filled('RIFF\x10\x00\x00\x00WEBPVP8 ')],
  ['image/avif', 'avif', filled('\x00\x00\x00\x20ftypavif')],
]
const [, , png] = pictures[0] ?? ['', '', Buffer.alloc(0)]

describe.each(engines)('uploads on %s', (name) => {
  const server = useServer(name, { config: { dataFolder, uploadLimit } })
  const upload = (
    payload: Buffer | string,
    {
      name = 'files/1-photo.png',
      type = 'image/png',
      headers = server().headers,
    }: { name?: string; type?: string; headers?: Record<string, string> } = {},
  ) =>
    server().app.inject({
      method: 'POST',
      url: `/api/v1/oms/uploads/?name=${encodeURIComponent(name)}`,
      headers: { 'content-type': type, ...headers },
      payload,
    })

  beforeEach(() => rmSync(folder, { recursive: true, force: true }))

  test.each(pictures)(
    '%s is stored as .%s and served as what it is (reliability 10)',
    async (type, extension, bytes) => {
      const { url } = read(await upload(bytes, { type }), UploadAnswer)
      expect(url).toMatch(new RegExp(`^/files/[0-9a-f]{64}\\.${extension}$`))
      const served = await server().app.inject(url)
      expect(served.statusCode).toBe(200)
      expect(served.rawPayload).toEqual(bytes)
      expect(served.headers).toMatchObject({
        'content-type': type,
        'content-length': String(bytes.length),
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cache-control': 'public, max-age=31536000, immutable',
      })
    },
  )

  test.each([
    ['HTML', '<!doctype html><script>alert(1)</script>'],
    ['SVG with a script', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['PDF', '%PDF-1.7 some more bytes'],
    ['a picture of another format', 'BM\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00'],
    ['nothing', ''],
    ['next to nothing', '\x89PN'],
  ])('%s named and typed as a PNG is refused and leaves nothing (reliability 10)', async (_what, bytes) => {
    readProblem(await upload(Buffer.from(bytes, 'latin1')), 415)
    expect(readdirSync(folder)).toEqual([])
  })

  test.each(['text/html', 'application/octet-stream', 'multipart/form-data; boundary=x', 'text/plain'])(
    'a body of type %s is refused, as a form on another site could send it (reliability 7)',
    async (type) => {
      readProblem(await upload(png, { type }), 415)
    },
  )

  test('a picture at the limit is stored, a byte more is refused and leaves nothing (reliability 10)', async () => {
    const most = filled('\x89PNG\r\n\x1a\n', uploadLimit)
    read(await upload(most), UploadAnswer)
    const before = readdirSync(folder)
    const { message } = readProblem(await upload(Buffer.concat([most, Buffer.from('x')])), 413)
    expect(message).toContain('1000')
    expect(readdirSync(folder)).toEqual(before)
  })

  test('the limit holds where no length is announced', async () => {
    const more = Buffer.concat([png, Buffer.alloc(uploadLimit)])
    const headers = { ...server().headers, 'content-length': '', 'transfer-encoding': 'chunked' }
    readProblem(await upload(more, { headers }), 413)
    expect(readdirSync(folder)).toEqual([])
  })

  test('equal bytes are one file, other bytes under an equal name another', async () => {
    const urls = []
    for (const bytes of [png, png, filled('GIF89a')])
      urls.push(read(await upload(bytes, { name: 'uploads/same.png' }), UploadAnswer).url)
    expect(urls[0]).toBe(urls[1])
    expect(urls[2]).not.toBe(urls[0])
    expect(readdirSync(folder)).toHaveLength(2)
  })

  test.each([
    'files/../../etc/passwd',
    'files/..\\..\\x',
    'uploads/C:\\x.png',
    'files/%2e%2e/x',
    'files/😀.png',
  ])('the name %j never becomes a path (reliability 11)', async (odd) => {
    read(await upload(png, { name: odd }), UploadAnswer)
    expect(readdirSync(dataFolder)).toEqual(['files'])
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.png$/)])
    expect(readFileSync(join(folder, readdirSync(folder)[0] ?? ''))).toEqual(png)
  })

  test.each(['', 'photo.png', 'elsewhere/photo.png', 'files/', 'files/a\0b', `files/${'x'.repeat(1025)}`])(
    'the name %j is refused',
    async (odd) => {
      readProblem(await upload(png, { name: odd }), 400)
    },
  )

  test.each([
    'x.png',
    '..%2f..%2fpackage.json',
    `${'0'.repeat(64)}.png`,
    `${'0'.repeat(64)}.html`,
    '.hidden',
  ])('there is no file %s', async (odd) => {
    readProblem(await server().app.inject(`/files/${odd}`), 404)
  })

  test('only staff upload (reliability 1)', async () => {
    readProblem(await upload(png, { headers: {} }), 401)
  })
})
