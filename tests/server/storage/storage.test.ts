import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statfsSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { keepHouse } from '../../../server/housekeeping.ts'
import { OperatorError } from '../../../server/operator-error.ts'
import { diskStore } from '../../../server/storage/disk.ts'
import { expireUploads } from '../../../server/storage/expire.ts'
import { Attraction } from '../../../src/api/contract.ts'
import { buildStaff } from '../../support/factories.ts'
import { bootApp, read, signIn, useServer } from '../../support/server.ts'
import { filesBelow, multipart, png } from '../../support/storage.ts'

const dataFolder = mkdtempSync(join(tmpdir(), 'oms-storage-'))
afterAll(() => rmSync(dataFolder, { recursive: true }))

const uploadLimit = 100_000
const day = 24 * 60 * 60_000
const objects = '/v0/b/oms/o'
const hash = '[0-9a-f]{64}'
const Resource = Type.Object({
  name: Type.String(),
  generation: Type.String(),
  downloadTokens: Type.String(),
})
const Refusal = Type.Object(
  { error: Type.Object({ code: Type.Number(), message: Type.String() }) },
  { additionalProperties: false },
)

describe('the storage', () => {
  const server = useServer('sqlite', {
    scope: 'suite',
    config: { dataFolder, uploadLimit, hosts: ['ops.twende.test'] },
  })
  beforeEach(() => {
    rmSync(join(dataFolder, 'storage'), { recursive: true, force: true })
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })
  const stored = () => filesBelow(dataFolder)

  const firebase = ({ authorization }: { authorization: string }) => ({
    authorization: authorization.replace('Bearer', 'Firebase'),
  })
  const call = (options: InjectOptions) =>
    server().app.inject({ ...options, headers: { ...firebase(server().headers), ...options.headers } })
  const refused = (answer: LightMyRequestResponse, status: number) => {
    const { error } = read(answer, Refusal, status)
    expect(error.code).toBe(status)
    return error.message
  }
  const upload = (name: string, bytes = png(1000), metadata: object | string = {}) => {
    const { headers, payload } = multipart(bytes, metadata)
    return call({ method: 'POST', url: `${objects}?name=${encodeURIComponent(name)}`, headers, payload })
  }
  const pathOf = (name: string) => `${objects}/${encodeURIComponent(name)}`
  const downloadUrl = async (name: string, answer = upload(name)) =>
    `${pathOf(name)}?alt=media&token=${read(await answer, Resource).downloadTokens}`
  /** Requests a file as an <img> does, without a session. */
  const download = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    server().app.inject({ method, url, headers })

  const start = (size: number | string, name = 'files/1-a.png', more: Record<string, string> = {}) =>
    call({
      method: 'POST',
      url: `${objects}?name=${encodeURIComponent(name)}`,
      headers: {
        'x-goog-upload-protocol': 'resumable',
        'x-goog-upload-command': 'start',
        'x-goog-upload-header-content-length': String(size),
        'content-type': 'application/json; charset=utf-8',
        ...more,
      },
      payload: '{}',
    })
  const startAt = async (size: number, name?: string) => {
    const url = String((await start(size, name)).headers['x-goog-upload-url'])
    return new URL(url).pathname + new URL(url).search
  }
  const command = (url: string, words: string, offset = 0, payload: Buffer = Buffer.alloc(0), headers = {}) =>
    call({
      method: 'POST',
      url,
      headers: { 'x-goog-upload-command': words, 'x-goog-upload-offset': String(offset), ...headers },
      payload,
    })

  describe('names', () => {
    test.each([
      ['..', 400],
      ['../etc/passwd', 400],
      ['files/../../etc/passwd', 400],
      ['files/./a.png', 400],
      ['files/a/..', 400],
      ['files/a\0b.png', 400],
      ['files/a\rb.png', 400],
      ['files/a\nSet-Cookie: b.png', 400],
      [`files/${'x'.repeat(1019)}`, 400],
      [`files/${'😀'.repeat(255)}`, 400],
      ['', 400],
      ['a.png', 403],
      ['files', 403],
      ['files/', 403],
      ['Files/a.png', 403],
      ['/files/a.png', 403],
      ['elsewhere/files/a.png', 403],
    ])('%j gets %d, and nothing is written (S7.37, reliability 11)', async (name, status) => {
      refused(await upload(name), status)
      refused(await start(1000, name), status)
      expect(stored()).toEqual([])
    })

    test.each([
      'files%2F%2e%2e%2Fx',
      'files%2F..%2F..%2Fpackage.json',
      'a%00b',
      'a%0d%0ab',
      'x'.repeat(1025),
    ])('%s cannot be read through the storage (reliability 11)', async (encoded) => {
      refused(await call({ url: `${objects}/${encoded}` }), 400)
      refused(await call({ method: 'PATCH', url: `${objects}/${encoded}`, payload: '{}' }), 400)
      refused(await call({ method: 'DELETE', url: `${objects}/${encoded}` }), 400)
      refused(await download(`${objects}/${encoded}?alt=media&token=t`), 400)
    })

    test.each([
      `files/${'x'.repeat(1018)}`,
      `files/${'😀'.repeat(254)}xx`,
      'files/%2e%2e/%2fetc.png',
      'files/..\\..\\x.png',
      'uploads/C:\\x.png',
      'uploads/…/a b+c&d=e?f#g.png',
      'files/"quoted"; filename=x.html',
      'files/a//b/',
    ])('%j is stored under a hash and downloaded with its name (reliability 11, 12)', async (name) => {
      const url = await downloadUrl(name)
      expect(stored()).toEqual([
        expect.stringMatching(`^storage/objects/${hash}\\.[0-9a-f-]{36}$`),
        expect.stringMatching(`^storage/objects/${hash}\\.json$`),
      ])
      const { statusCode, rawPayload, headers } = await download(url)
      expect(statusCode).toBe(200)
      expect(rawPayload.equals(png(1000))).toBe(true)
      expect(headers['content-disposition']).toMatch(
        /^inline; filename="[^"\\%]*"; filename\*=utf-8''[\w.~%-]+$/,
      )
    })

    test('two files with the same name and different prefixes are both kept (S7.37)', async () => {
      const urls = [
        await downloadUrl('files/1-a.png'),
        await downloadUrl('files/2-a.png', upload('files/2-a.png', png(2000))),
      ]
      const sizes = []
      for (const url of urls) sizes.push((await download(url)).rawPayload.length)
      expect(sizes).toEqual([1000, 2000])
    })

    test('an overwritten file gets a new address; its old address becomes invalid and its old bytes are deleted', async () => {
      const before = await downloadUrl('files/1-a.png')
      const after = await downloadUrl('files/1-a.png', upload('files/1-a.png', png(2000)))
      refused(await download(before), 403)
      expect((await download(after)).rawPayload.length).toBe(2000)
      expect(stored()).toHaveLength(2)
    })
  })

  describe('content', () => {
    const filled = (head: string) => Buffer.from(head.padEnd(64, 'x'), 'latin1')
    const script = '<script>alert(1)</script>'

    test.each([
      ['image/png', filled('\x89PNG\r\n\x1a\n')],
      ['image/jpeg', filled('\xff\xd8\xff\xe0')],
      ['image/gif', filled('GIF89a')],
      ['image/gif', filled('GIF87a')],
      ['image/webp', filled('RIFF\x10\x00\x00\x00WEBPVP8 ')],
      ['image/avif', filled('\x00\x00\x00\x20ftypavif')],
      ['image/gif', filled(`GIF89a/*${script}*/=1`)],
      ['image/jpeg', filled(`\xff\xd8\xff\xe0${script}`)],
    ])(
      '%s is served with its real type, not the declared one, and scripts in it never run (reliability 10)',
      async (type, bytes) => {
        const url = await downloadUrl(
          'files/1-a.html',
          upload('files/1-a.html', bytes, { contentType: 'text/html' }),
        )
        const { headers, rawPayload } = await download(url)
        expect(rawPayload).toEqual(bytes)
        expect(headers).toMatchObject({
          'content-type': type,
          'content-length': String(bytes.length),
          'content-disposition': `inline; filename="1-a.html"; filename*=utf-8''1-a.html`,
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'; sandbox",
          'cache-control': 'private, max-age=31536000, immutable',
          'accept-ranges': 'bytes',
        })
      },
    )

    test.each([
      ['HTML', `<!doctype html>${script}`],
      ['SVG with a script', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
      ['PDF', '%PDF-1.7 some more bytes'],
      ['a picture of another format', 'BM\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00'],
      ['a picture that begins later', ' GIF89a and more'],
      ['nothing', ''],
      ['next to nothing', '\x89PN'],
    ])('%s that is declared as a PNG is rejected and not stored (reliability 10)', async (_what, text) => {
      const bytes = Buffer.from(text, 'latin1')
      refused(await upload('files/1-a.png', bytes, { contentType: 'image/png' }), 415)
      const url = await startAt(bytes.length)
      refused(await command(url, 'upload, finalize', 0, bytes), 415)
      refused(await command(url, 'query'), 404)
      expect(stored()).toEqual([])
    })

    test.each([
      ['no boundary', 'multipart/related', multipart(png(100)).payload],
      ['another boundary', 'multipart/related; boundary=other', multipart(png(100)).payload],
      ['no end', 'multipart/related; boundary=edge', multipart(png(100)).payload.subarray(0, -8)],
      ['no bytes', 'multipart/related; boundary=edge', Buffer.from('--edge\r\n\r\n{}\r\n--edge--')],
      ['an endless head', 'multipart/related; boundary=edge', Buffer.alloc(90_000)],
      ['nothing', 'multipart/related; boundary=edge', Buffer.alloc(0)],
      ['a bare picture', 'image/png', png(100)],
    ])('a body with %s is rejected and not stored', async (_what, type, payload) => {
      const headers = { 'x-goog-upload-protocol': 'multipart', 'content-type': type }
      refused(await call({ method: 'POST', url: `${objects}?name=files%2F1-a.png`, headers, payload }), 400)
      expect(stored()).toEqual([])
    })

    test('bytes that look like the closing boundary are kept', async () => {
      const bytes = Buffer.concat([png(70_000), Buffer.from('\r\n--edge--\r\n--edg')])
      const url = await downloadUrl('files/1-a.png', upload('files/1-a.png', bytes))
      expect((await download(url)).rawPayload.equals(bytes)).toBe(true)
    })
  })

  describe('metadata', () => {
    test.each([
      ['no JSON', '{"cacheControl":'],
      ['a list', '[]'],
      ['a header that ends', { cacheControl: 'private\r\nSet-Cookie: a=b' }],
      ['a header beyond ASCII', { contentDisposition: 'inline; filename="ä"' }],
      ['an over-long header', { contentLanguage: 'x'.repeat(1025) }],
      ['pairs that are no texts', { metadata: { a: 1 } }],
      ['nested pairs', { metadata: { a: { b: 'c' } } }],
    ])('with %s is rejected and changes nothing (reliability 12)', async (_what, metadata) => {
      const payload = typeof metadata === 'string' ? metadata : JSON.stringify(metadata)
      refused(await upload('files/1-a.png', png(100), payload), 400)
      expect(stored()).toEqual([])
      await upload('files/1-a.png')
      const before = (await call({ url: pathOf('files/1-a.png') })).json<unknown>()
      refused(await call({ method: 'PATCH', url: pathOf('files/1-a.png'), payload }), 400)
      expect((await call({ url: pathOf('files/1-a.png') })).json()).toEqual(before)
    })

    test('that is too long is rejected', async () => {
      await upload('files/1-a.png')
      const payload = JSON.stringify({ metadata: { a: 'x'.repeat(65_536) } })
      refused(await call({ method: 'PATCH', url: pathOf('files/1-a.png'), payload }), 413)
    })

    test('sets the headers of a download, and null resets them', async () => {
      const url = await downloadUrl('files/1-a.png')
      const patch = (payload: object) => call({ method: 'PATCH', url: pathOf('files/1-a.png'), payload })
      const own = { cacheControl: 'no-cache', contentDisposition: 'attachment', contentLanguage: 'sw' }
      expect((await patch({ ...own, metadata: { a: '1', b: '2' } })).json()).toMatchObject(own)
      expect((await download(url)).headers).toMatchObject({
        'cache-control': 'no-cache',
        'content-disposition': 'attachment',
        'content-language': 'sw',
      })
      const cleared = await patch({ cacheControl: null, contentLanguage: null, metadata: { a: null } })
      expect(cleared.json()).toMatchObject({ metadata: { b: '2' }, metageneration: '3' })
      const { headers } = await download(url)
      expect(headers['cache-control']).toContain('immutable')
      expect(headers).not.toHaveProperty('content-language')
      expect((await patch({ metadata: null })).json()).not.toHaveProperty('metadata')
    })

    test('cannot set the fields that only the storage sets (reliability 31)', async () => {
      const wanted =
        '{"name":"files/2.png","size":"1","downloadTokens":"t","generation":"1","__proto__":{"size":1}}'
      const before = read(await upload('files/1-a.png', png(100), wanted), Resource)
      expect(before).toMatchObject({ name: 'files/1-a.png', size: '100' })
      expect(before.downloadTokens).toMatch(/^[0-9a-f-]{36}$/)
      const after = await call({ method: 'PATCH', url: pathOf('files/1-a.png'), payload: wanted })
      const { name, generation, downloadTokens } = before
      expect(after.json()).toMatchObject({ name, generation, downloadTokens, size: '100' })
    })
  })

  describe('permissions', () => {
    test('a download needs its token or a session; other replies do not reveal whether the file exists', async () => {
      const url = await downloadUrl('files/1-a.png')
      const other = await downloadUrl('files/2-b.png')
      const wrong = (token: string) => download(`${pathOf('files/1-a.png')}?alt=media&token=${token}`)
      refused(await wrong('wrong'), 403)
      refused(await wrong(''), 403)
      refused(await wrong(new URL(other, 'http://x').searchParams.get('token') ?? ''), 403)
      const missing = refused(await download(url.replace('1-a', '3-c')), 403)
      expect(missing).toBe(refused(await wrong('wrong'), 403))
      refused(await download(`${pathOf('files/1-a.png')}?alt=media`), 401)
      refused(await download(pathOf('files/1-a.png')), 401)
      refused(await download(url.replace('alt=media&', '')), 401)
      expect((await download(url)).statusCode).toBe(200)
      const own = await call({ url: `${pathOf('files/1-a.png')}?alt=media` })
      expect(own.statusCode).toBe(200)
      expect(own.headers['cache-control']).toBe('private, no-cache')
    })

    test('metadata is never cached', async () => {
      const answers = [
        await upload('files/1-a.png'),
        await call({ url: pathOf('files/1-a.png') }),
        await call({ url: objects }),
      ]
      for (const { headers } of answers) expect(headers['cache-control']).toBe('no-store')
    })

    test('the session token is accepted only with the scheme Firebase (S6.1)', async () => {
      refused(await server().app.inject({ url: objects, headers: server().headers }), 401)
      expect((await call({ url: objects })).statusCode).toBe(200)
    })

    test('an upload can be continued only by the staff member who started it (S6.1)', async () => {
      const url = await startAt(1000)
      await command(url, 'upload', 0, png(1000).subarray(0, 500))
      const stranger = firebase(
        await signIn(server().app, await buildStaff(server().engine, { email: 'b@twende.test' })),
      )
      for (const words of ['query', 'upload', 'finalize', 'upload, finalize', 'cancel'])
        refused(await command(url, words, 0, png(1000), stranger), 403)
      expect((await command(url, 'query')).headers['x-goog-upload-size-received']).toBe('500')
      expect((await command(url, 'upload, finalize', 500, png(1000).subarray(500))).statusCode).toBe(200)
    })

    test('an upload cannot be continued after logout (S6.1)', async () => {
      const url = await startAt(1000)
      const gone = await signIn(server().app, server().staff)
      await server().app.inject({ method: 'POST', url: '/api/v1/oms/logout/', headers: gone })
      refused(await command(url, 'upload, finalize', 0, png(1000), firebase(gone)), 401)
    })
  })

  test('uploads together leave the reserve of the disk free, also those without a length, until they end (reliability 21)', async () => {
    const { engine, clock, headers } = server()
    const { authorization } = firebase(headers)
    await upload('files/1-before.png')
    const { bavail, bsize } = statfsSync(dataFolder)
    const free = Math.floor(bavail * bsize)
    const limits = { uploadLimit: Math.floor(free * 0.4), minFree: Math.floor(free * 0.3) }
    const app = await bootApp(engine, { now: () => clock.now, config: { dataFolder, ...limits } })
    const { headers: type, payload } = multipart(png(1000))
    const send = (body: Buffer | Readable) =>
      app.inject({
        method: 'POST',
        url: `${objects}?name=files%2F1-a.png`,
        headers: { ...type, authorization },
        payload: body,
      })
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    const running = connect(Number(port), '127.0.0.1')
    const lines = [
      `POST ${objects}?name=files%2F1-b.png HTTP/1.1`,
      'host: localhost',
      `authorization: ${authorization}`,
      `content-type: ${type['content-type']}`,
      `content-length: ${limits.uploadLimit}`,
    ]
    running.write(`${lines.join('\r\n')}\r\n\r\n`)
    running.write(payload.subarray(0, 600))
    await vi.waitUntil(() => stored().length === 3)
    expect((await send(payload)).statusCode).toBe(200)
    refused(await send(Readable.from([payload])), 507)
    running.destroy()
    await vi.waitUntil(async () => (await app.inject('/metrics')).body.includes('oms_uploads_running 0'))
    expect((await send(Readable.from([payload]))).statusCode).toBe(200)
    await app.close()
  })

  test('uploads leave the reserve of the disk free, while logins, changes and downloads go on (reliability 21)', async () => {
    const { engine, staff, headers, clock } = server()
    const url = await startAt(1000)
    const picture = await downloadUrl('files/1-before.png')
    const before = stored().length
    const app = await bootApp(engine, {
      now: () => clock.now,
      config: { dataFolder, uploadLimit, minFree: Number.MAX_SAFE_INTEGER },
    })
    const full = async (options: InjectOptions) => {
      const answer = await app.inject({ ...options, headers: { ...firebase(headers), ...options.headers } })
      expect(refused(answer, 507)).toBe('The server has no disk space left.')
    }
    const { headers: more, payload } = multipart(png(1000), {})
    await full({ method: 'POST', url: `${objects}?name=files%2F1-a.png`, headers: more, payload })
    const begin = { 'x-goog-upload-protocol': 'resumable', 'x-goog-upload-command': 'start' }
    await full({
      method: 'POST',
      url: `${objects}?name=files%2F1-a.png`,
      headers: { ...begin, 'x-goog-upload-header-content-length': '1000' },
    })
    const goOn = { 'x-goog-upload-command': 'upload', 'x-goog-upload-offset': '0' }
    await full({ method: 'POST', url, headers: goOn, payload: png(1000) })
    expect(stored()).toHaveLength(before)
    expect((await app.inject(picture)).statusCode).toBe(200)
    const authorization = (await signIn(app, staff)).authorization
    const change = {
      method: 'POST',
      url: '/api/v1/oms/driver/4711/suspend/',
      headers: { authorization },
    } as const
    expect((await app.inject(change)).statusCode).toBe(404)
    await app.close()
  })

  describe('a resumable upload', () => {
    test.each([
      ['too large', uploadLimit + 1, 413],
      ['far too large', '99999999999999999999', 400],
      ['no number', 'many', 400],
      ['negative', '-1', 400],
      ['not told', '', 400],
    ])('is rejected if its size is %s', async (_what, size, status) => {
      refused(await start(size), status)
      expect(stored()).toEqual([])
    })

    test('may have exactly the size of the limit', async () => {
      const bytes = png(uploadLimit)
      const url = await startAt(bytes.length)
      expect((await command(url, 'upload, finalize', 0, bytes)).statusCode).toBe(200)
      refused(await upload('files/1-b.png', png(uploadLimit + 1)), 413)
      expect(stored()).toHaveLength(3)
    })

    test('with more bytes than declared is rejected and stores nothing', async () => {
      const url = await startAt(1000)
      refused(await command(url, 'upload', 0, png(1001)), 413)
      refused(await command(url, 'query'), 404)
      expect(stored()).toEqual([])
    })

    test('with fewer bytes than declared cannot be finalized and can continue', async () => {
      const url = await startAt(1000)
      refused(await command(url, 'upload, finalize', 0, png(1000).subarray(0, 999)), 400)
      refused(await call({ url: pathOf('files/1-a.png') }), 404)
      expect((await command(url, 'query')).headers).toMatchObject({
        'x-goog-upload-status': 'active',
        'x-goog-upload-size-received': '999',
      })
      expect((await command(url, 'upload, finalize', 999, png(1000).subarray(999))).statusCode).toBe(200)
    })

    test('accepts a repeated chunk, which overwrites the first, and rejects a chunk after a gap', async () => {
      const bytes = png(1000)
      const url = await startAt(1000)
      await command(url, 'upload', 0, bytes.subarray(0, 600))
      refused(await command(url, 'upload', 601, bytes.subarray(601)), 409)
      await command(url, 'upload', 200, bytes.subarray(200, 300))
      expect((await command(url, 'query')).headers['x-goog-upload-size-received']).toBe('300')
      await command(url, 'upload', 300, bytes.subarray(300))
      expect((await command(url, 'finalize', 1000)).headers['x-goog-upload-status']).toBe('final')
      expect((await call({ url: `${pathOf('files/1-a.png')}?alt=media` })).rawPayload.equals(bytes)).toBe(
        true,
      )
    })

    test('is invisible until it is complete', async () => {
      const url = await startAt(1000)
      await command(url, 'upload', 0, png(1000).subarray(0, 999))
      expect((await call({ url: objects })).json()).toEqual({ prefixes: [], items: [] })
      refused(await call({ url: pathOf('files/1-a.png') }), 404)
      refused(await call({ url: `${pathOf('files/1-a.png')}?alt=media` }), 404)
    })

    test('that is finalized again gets the same reply, also with other bytes', async () => {
      const url = await startAt(1000)
      const first = await command(url, 'upload, finalize', 0, png(1000))
      for (const words of ['finalize', 'upload, finalize', 'upload']) {
        const { body, headers } = await command(url, words, 0, Buffer.from('other bytes'))
        expect([body, headers['x-goog-upload-status']]).toEqual([first.body, 'final'])
      }
      expect((await command(url, 'query')).headers).toMatchObject({
        'x-goog-upload-status': 'final',
        'x-goog-upload-size-received': '1000',
      })
      expect((await command(url, 'cancel')).headers['x-goog-upload-status']).toBe('final')
      expect((await call({ url: `${pathOf('files/1-a.png')}?alt=media` })).rawPayload.equals(png(1000))).toBe(
        true,
      )
    })

    test('to the same name as another upload leaves one complete file', async () => {
      const urls = await Promise.all([startAt(1000), startAt(2000)])
      await Promise.all(
        urls.map((url, index) => command(url, 'upload, finalize', 0, png(1000 * (index + 1)))),
      )
      const { rawPayload } = await call({ url: `${pathOf('files/1-a.png')}?alt=media` })
      expect(rawPayload.equals(png(rawPayload.length))).toBe(true)
      expect(stored().filter((file) => file.startsWith('storage/objects'))).toHaveLength(2)
    })

    test('can be cancelled and is then deleted', async () => {
      const url = await startAt(1000)
      await command(url, 'upload', 0, png(1000).subarray(0, 500))
      expect((await command(url, 'cancel')).headers['x-goog-upload-status']).toBe('cancelled')
      refused(await command(url, 'query'), 404)
      expect(stored()).toEqual([])
    })

    test.each(['00000000-0000-0000-0000-000000000000', '..%2f..%2foms', 'x', ''])(
      'is unknown under the id “%s”',
      async (id) => {
        const answer = await command(`${objects}?name=files%2F1-a.png&upload_id=${id}`, 'query')
        refused(answer, id.length === 36 ? 404 : 400)
      },
    )

    test('continues at a path for browsers, at the local address of the connection for others, and never at the Host header', async () => {
      const addressFor = async (headers: Record<string, string>) =>
        (await start(1000, 'files/1-a.png', { host: 'ops.twende.test', ...headers })).headers[
          'x-goog-upload-url'
        ]
      expect(await addressFor({})).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v0\/b\/oms\/o\?name=/)
      expect(await addressFor({ 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/153.0' })).toMatch(
        /^\/v0\/b\/oms\/o\?name=files%2F1-a\.png&upload_id=/,
      )
    })

    test('without activity is deleted after a day, and complete files are kept', async () => {
      const whole = await startAt(1000, 'files/1-whole.png')
      await command(whole, 'upload, finalize', 0, png(1000))
      await upload('files/1-at-once.png')
      const half = await startAt(1000, 'files/1-half.png')
      await command(half, 'upload', 0, png(1000).subarray(0, 500))
      const folder = join(dataFolder, 'storage')
      for (const odd of ['objects/0.json.1.tmp', 'objects/0.orphan', 'uploads/x.json.1.tmp'])
        writeFileSync(join(folder, odd), '{')
      const before = stored()
      const { engine, clock } = server()
      const cleanUp = (age: number, touched: (file: string) => boolean) => {
        const time = new Date(clock.now - age)
        for (const file of stored().filter(touched)) utimesSync(join(dataFolder, file), time, time)
        return keepHouse(engine, dataFolder, clock.now)
      }

      await cleanUp(day - 60_000, () => true)
      await cleanUp(day + 1, (file) => /uploads.{42}$/.test(file))
      expect(stored()).toEqual(before)
      expect((await command(half, 'query')).headers['x-goog-upload-size-received']).toBe('500')
      await cleanUp(day + 1, () => true)
      refused(await command(half, 'query'), 404)
      expect(stored()).toHaveLength(4)
      for (const name of ['files/1-whole.png', 'files/1-at-once.png'])
        expect((await call({ url: `${pathOf(name)}?alt=media` })).rawPayload.equals(png(1000))).toBe(true)
    })

    test('the cleanup keeps the files of a damaged record, reports it, and goes on with the others', async () => {
      const { engine, clock } = server()
      for (const name of ['a', 'b', 'c']) {
        await upload(`files/1-${name}.png`)
        await startAt(1000, `files/2-${name}.png`)
      }
      const store = diskStore(dataFolder)
      const [abandoned] = await store.list('uploads')
      const records = (await store.list('objects')).filter(({ name }) => name.endsWith('.json'))
      for (const record of [`uploads/${abandoned?.name}`, `objects/${records[0]?.name}`])
        writeFileSync(join(dataFolder, 'storage', record), '{}')
      for (const { name } of records)
        writeFileSync(join(dataFolder, 'storage/objects', name.replace('.json', '.orphan')), '')
      const errors: unknown[] = []
      const old = new Date(clock.now - day - 1)
      for (const file of stored()) utimesSync(join(dataFolder, file), old, old)
      await keepHouse(engine, dataFolder, clock.now, null, (error) => void errors.push(error))
      expect(errors).toEqual([expect.any(OperatorError), expect.any(OperatorError)])
      expect(await store.list('uploads')).toEqual([abandoned && { ...abandoned, modified: old.getTime() }])
      expect(stored().filter((file) => file.endsWith('.orphan'))).toEqual([
        `storage/objects/${records[0]?.name.replace('.json', '.orphan')}`,
      ])
      const events = await engine.db.selectFrom('audit_events').selectAll().orderBy('id').execute()
      expect(events.at(-1)).toMatchObject({ event: 'file.expire', n: 6 })
    })

    test('whose client has gone before its session was found is not counted as under way for ever', async () => {
      const { engine, clock, headers } = server()
      const { authorization } = firebase(headers)
      const target = await startAt(1000)
      await command(target, 'upload', 0, png(1000))
      const uploads = () =>
        engine.db.selectFrom('audit_events').selectAll().where('event', '=', 'file.upload').execute()
      const before = (await uploads()).length
      const app = await bootApp(engine, { config: { dataFolder, uploadLimit }, now: () => clock.now })
      const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
      const closed = new Promise((resolve) => {
        app.server.once('connection', (socket: Socket) => socket.once('close', resolve))
      })
      const client = connect(Number(port), '127.0.0.1')
      const execute = engine.db.executeQuery.bind(engine.db)
      vi.spyOn(engine.db, 'executeQuery').mockImplementationOnce(async (...given) => {
        client.destroy()
        await closed
        return execute(...given)
      })
      const lines = [
        `POST ${target} HTTP/1.1`,
        'host: localhost',
        `authorization: ${authorization}`,
        'x-goog-upload-command: finalize',
        'content-length: 0',
      ]
      client.write(`${lines.join('\r\n')}\r\n\r\n`)
      await vi.waitUntil(async () => (await uploads()).length > before)
      expect((await uploads()).at(-1)).toMatchObject({ about: 'files/1-a.png', origin: 'unknown' })
      await vi.waitFor(async () => {
        expect((await app.inject('/metrics')).body).toContain('oms_uploads_running 0')
      })
      await app.close()
    })

    test('the cleanup works without a storage folder', async () => {
      await expireUploads(diskStore(join(dataFolder, 'nowhere')), Date.now())
      expect(stored()).toEqual([])
    })
  })

  describe('a download', () => {
    const bytes = png(1000)
    test.each([
      ['bytes=0-99', 206, 0, 99],
      ['bytes=990-', 206, 990, 999],
      ['bytes=-10', 206, 990, 999],
      ['bytes=-5000', 206, 0, 999],
      ['bytes=500-5000', 206, 500, 999],
      ['bytes=999-999', 206, 999, 999],
      ['bytes=0-9,20-29', 200, 0, 999],
      ['bytes=9-0', 200, 0, 999],
      ['lines=0-9', 200, 0, 999],
      ['bytes=-', 200, 0, 999],
    ])('of the range %s gets %d', async (range, status, first, last) => {
      const { statusCode, headers, rawPayload } = await download(await downloadUrl('files/1-a.png'), {
        range,
      })
      expect(statusCode).toBe(status)
      expect(rawPayload.equals(bytes.subarray(first, last + 1))).toBe(true)
      expect(headers['content-length']).toBe(String(last - first + 1))
      expect(headers['content-range']).toBe(status === 206 ? `bytes ${first}-${last}/1000` : undefined)
    })

    test('that fails is not kept by the browser, which shows the picture as soon as it is back (S7.37)', async () => {
      const url = await downloadUrl('files/1-a.png')
      const beyond = await download(url, { range: 'bytes=1000-' })
      const content = join(dataFolder, stored().find((path) => /objects\/[^/]+\.[\w-]{36}$/.test(path)) ?? '')
      renameSync(content, `${content}.away`)
      const missing = await download(url)
      expect([beyond.statusCode, missing.statusCode]).toEqual([416, 404])
      for (const { headers } of [beyond, missing]) {
        expect(headers['cache-control']).toBe('no-store')
        expect(headers).not.toHaveProperty('etag')
      }
      renameSync(`${content}.away`, content)
      expect((await download(url)).headers['cache-control']).toContain('immutable')
    })

    test.each(['bytes=1000-', 'bytes=5000-6000', 'bytes=-0'])('of the range %s gets 416', async (range) => {
      const answer = await download(await downloadUrl('files/1-a.png'), { range })
      refused(answer, 416)
      expect(answer.headers['content-range']).toBe('bytes */1000')
    })

    test('gets 304 if the client has the current version', async () => {
      const url = await downloadUrl('files/1-a.png')
      const etag = String((await download(url)).headers.etag)
      expect(etag).toMatch(/^"[^"]+"$/)
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const { statusCode, body, headers } = await download(url, { 'if-none-match': known })
        expect([statusCode, body, headers.etag]).toEqual([304, '', etag])
      }
      expect((await download(url, { 'if-none-match': '"other"' })).statusCode).toBe(200)
      expect((await download(url, { range: 'bytes=0-9', 'if-range': etag })).statusCode).toBe(206)
      expect((await download(url, { range: 'bytes=0-9', 'if-range': '"other"' })).statusCode).toBe(200)
    })

    test('has the same headers for HEAD and GET', async () => {
      const url = await downloadUrl('files/1-a.png')
      const head = await download(url, {}, 'HEAD')
      const { headers } = await download(url)
      expect([head.statusCode, head.body]).toEqual([200, ''])
      for (const name of ['content-length', 'content-type', 'etag', 'cache-control'])
        expect(head.headers[name]).toBe(headers[name])
    })
  })

  test('lists at most the requested number of files, and rejects an invalid number', async () => {
    for (const name of ['files/1.png', 'files/2.png']) await upload(name)
    const { items, nextPageToken } = (await call({ url: `${objects}?maxResults=1` })).json<{
      items: unknown[]
      nextPageToken: string
    }>()
    expect(items).toEqual([{ name: 'files/1.png', bucket: 'oms' }])
    expect((await call({ url: `${objects}?pageToken=${nextPageToken}` })).json()).toEqual({
      prefixes: [],
      items: [{ name: 'files/2.png', bucket: 'oms' }],
    })
    for (const most of ['0', '-1', '1001', 'x', ''])
      refused(await call({ url: `${objects}?maxResults=${most}` }), 400)
  })

  test('a data folder that is served on another host and port keeps its images (S7.37, S3.11)', async () => {
    const address = `http://localhost:4321${await downloadUrl('files/1-a.png')}`
    const created = await server().send('/api/v1/oms/attraction/create/oms/', {
      name: 'Lamu',
      description: '',
      location: { placeName: 'Lamu', lat: '-2.27', lng: '40.9' },
      lat: '-2.270000',
      lng: '40.900000',
      image: address,
    })
    const { image } = read(created, Attraction)
    const moved = join(dataFolder, 'moved')
    cpSync(join(dataFolder, 'storage'), join(moved, 'storage'), { recursive: true })
    const app = await bootApp(server().engine, { config: { dataFolder: moved } })
    const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    const answer = await fetch(`http://127.0.0.1:${port}${image}`, { headers: { host: 'ops.twende.test' } })
    expect(Buffer.from(await answer.arrayBuffer()).equals(png(1000))).toBe(true)
    await app.close()
    rmSync(moved, { recursive: true })
  })

  test('with a Firebase project configured, existing files can be read but no files can be written (S7.37)', async () => {
    const url = await downloadUrl('files/1-a.png')
    const app = await bootApp(server().engine, {
      now: () => server().clock.now,
      config: { dataFolder, firebase: { storageBucket: 'a.firebasestorage.app' } },
    })
    expect((await app.inject(url)).statusCode).toBe(200)
    const headers = firebase(server().headers)
    expect((await app.inject({ url: pathOf('files/1-a.png'), headers })).statusCode).toBe(200)
    for (const method of ['POST', 'PATCH', 'DELETE'] as const)
      for (const target of [objects, pathOf('files/1-a.png')])
        expect((await app.inject({ method, url: target, headers: server().headers })).statusCode).toBe(404)
    await app.close()
    expect(stored()).toHaveLength(2)
  })

  test('the log contains no tokens (reliability 30)', async () => {
    const lines: string[] = []
    const app = await bootApp(server().engine, {
      config: { dataFolder, logLevel: 'trace' },
      logStream: { write: (line) => void lines.push(line) },
    })
    const url = await downloadUrl('files/1-secret.png')
    for (const target of [url, `${url}x`, url.replace('oms', 'none')]) await app.inject(target)
    await app.close()
    expect(lines).toHaveLength(3)
    expect(lines.join('')).not.toMatch(new RegExp(`secret|${url.slice(-36)}`))
  })

  test('an unreadable metadata file causes a 500 and does not make the cleanup delete anything', async () => {
    await upload('files/1-a.png')
    const record = join(dataFolder, stored().find((file) => file.endsWith('.json')) ?? '')
    writeFileSync(record, '{}')
    writeFileSync(record.replace('.json', '.other'), 'of another upload')
    refused(await call({ url: pathOf('files/1-a.png') }), 500)
    await expect(expireUploads(diskStore(dataFolder), Date.now() + 2 * day)).rejects.toThrow()
    expect(stored()).toHaveLength(3)
  })

  test('a folder that is not writable causes a 500 without internal details', async () => {
    mkdirSync(join(dataFolder, 'storage'))
    writeFileSync(join(dataFolder, 'storage', 'objects'), 'not a folder')
    expect(refused(await upload('files/1-a.png'), 500)).toBe('The server failed to handle this request.')
  })
})
