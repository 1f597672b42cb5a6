import type { LightMyRequestResponse } from 'fastify'
import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Engine } from '../../../server/db/engine.ts'
import type { TypedApp } from '../../../server/deps.ts'
import { keepHouse } from '../../../server/housekeeping.ts'
import { checkBucket } from '../../../server/storage/s3.ts'
import { sha256Of, signed } from '../../../server/storage/s3-signature.ts'
import { openTestEngine } from '../../support/engines.ts'
import { buildStaff } from '../../support/factories.ts'
import type { S3Server } from '../../support/s3.ts'
import { startS3 } from '../../support/s3.ts'
import { repeats } from '../../support/soak.ts'
import { bootApp, read, signIn } from '../../support/server.ts'
import { multipart, png } from '../../support/storage.ts'

const objects = '/v0/b/oms/o'
const name = 'files/1-a.png'
const url = `${objects}/${encodeURIComponent(name)}`
const Resource = Type.Object({ size: Type.String(), md5Hash: Type.String(), downloadTokens: Type.String() })

let s3: S3Server
let engine: Engine
/** Two servers that share the database and the bucket, and have no data folder. */
let servers: TypedApp[] = []
let authorization = ''
const log: string[] = []
beforeAll(async () => {
  s3 = await startS3()
  engine = await openTestEngine('sqlite')
  const boot = (build = bootApp) =>
    build(engine, {
      config: { s3: s3.options, uploadLimit: 30_000_000, logLevel: 'error' },
      logStream: { write: (line) => void log.push(line) },
    })
  // The second server has its own copy of the modules, as a second process has: their locks are not shared.
  vi.resetModules()
  const copy = await import('../../support/server.ts')
  servers = [await boot(), await boot(copy.bootApp)]
  const [first] = servers
  if (!first) throw new Error('There is no server.')
  authorization = (await signIn(first, await buildStaff(engine))).authorization.replace('Bearer', 'Firebase')
})
afterAll(async () => {
  for (const server of servers) await server.close()
  await engine.close()
  await s3.close()
})
beforeEach(() => {
  s3.stored.clear()
  s3.fault = () => undefined
  log.length = 0
  s3.asked.length = 0
})

/** Each call goes to another server than the one before it. */
let turn = 0
const call = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'HEAD',
  target: string,
  headers: Record<string, string> = {},
  payload?: Buffer | string,
): Promise<LightMyRequestResponse> => {
  const server = servers[turn++ % 2]
  if (!server) throw new Error('There is no server.')
  return server.inject({
    method,
    url: target,
    headers: { authorization, ...headers },
    ...(payload && { payload }),
  })
}
const upload = (bytes: Buffer) => {
  const { headers, payload } = multipart(bytes)
  return call('POST', `${objects}?name=${encodeURIComponent(name)}`, headers, payload)
}
const start = async (size: number) => {
  const { headers } = await call('POST', `${objects}?name=${encodeURIComponent(name)}`, {
    'x-goog-upload-protocol': 'resumable',
    'x-goog-upload-command': 'start',
    'x-goog-upload-header-content-length': String(size),
  })
  const target = new URL(String(headers['x-goog-upload-url']))
  return target.pathname + target.search
}
const command = (target: string, words: string, offset = 0, bytes?: Buffer) =>
  call('POST', target, { 'x-goog-upload-command': words, 'x-goog-upload-offset': String(offset) }, bytes)
const received = async (target: string) =>
  (await command(target, 'query')).headers['x-goog-upload-size-received']
const download = async (range?: string) =>
  (await call('GET', `${url}?alt=media`, range ? { range } : {})).rawPayload
const keys = (folder: string) => [...s3.stored.keys()].filter((key) => key.startsWith(`${folder}/`))

test('signs as Amazon documents it', () => {
  // The example "GET Object" of the API reference of Amazon S3, with its published signature.
  const { authorization: header } = signed(
    {
      method: 'GET',
      url: new URL('https://examplebucket.s3.amazonaws.com/test.txt'),
      sha256: sha256Of(''),
      headers: { range: 'bytes=0-9' },
    },
    {
      region: 'us-east-1',
      keyId: 'AKIAIOSFODNN7EXAMPLE',
      secret: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    },
    Date.UTC(2013, 4, 24),
  )
  expect(header).toMatch(/Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41$/)
})

test('two servers without a common disk share an upload, its picture and its metadata', async () => {
  // The last chunk is longer than what a server holds in memory.
  const bytes = png(9_500_000)
  const target = await start(bytes.length)
  expect(await received(target)).toBe('0')
  const ends = [262_144, 786_432, 1_835_008]
  for (const [index, end] of ends.entries())
    expect(
      (await command(target, 'upload', ends[index - 1], bytes.subarray(ends[index - 1] ?? 0, end)))
        .statusCode,
    ).toBe(200)
  expect(await received(target)).toBe('1835008')
  expect((await command(target, 'upload', 1_835_009, bytes.subarray(1_835_009))).statusCode).toBe(409)
  // A chunk that is sent again begins in the middle of an earlier one.
  await command(target, 'upload', 500_000, bytes.subarray(500_000, 600_000))
  expect(await received(target)).toBe('600000')
  expect((await call('GET', `${url}?alt=media`)).statusCode).toBe(404)

  await command(target, 'upload', 600_000, bytes.subarray(600_000))
  const answers = await Promise.all([command(target, 'finalize'), command(target, 'finalize')])
  const [first, second] = answers.map((answer) => read(answer, Resource))
  expect(first?.downloadTokens).toBe(second?.downloadTokens)
  expect(first?.md5Hash).toBe(createHash('md5').update(bytes).digest('base64'))
  expect((await command(target, 'query')).headers['x-goog-upload-status']).toBe('final')
  expect((await download()).equals(bytes)).toBe(true)
  expect((await download('bytes=8388600-8388700')).equals(bytes.subarray(8_388_600, 8_388_701))).toBe(true)
  expect(await call('HEAD', `${url}?alt=media`)).toMatchObject({ statusCode: 200, body: '' })
  expect(keys('objects')).toHaveLength(2)

  expect((await call('PATCH', url, {}, '{"contentLanguage":"sw"}')).json()).toMatchObject({
    contentLanguage: 'sw',
  })
  expect((await call('GET', objects)).json()).toMatchObject({ items: [{ name }] })
  await upload(png(1000))
  expect((await download()).equals(png(1000))).toBe(true)
  expect(keys('objects')).toHaveLength(2)
  expect((await call('DELETE', url)).statusCode).toBe(204)
  expect(keys('objects')).toEqual([])
  expect((await call('GET', url)).statusCode).toBe(404)
})

test('a chunk that two servers receive at the same time damages no picture', async () => {
  const bytes = png(300_000)
  for (let round = 0; round < repeats(2, 100); round++) {
    const target = await start(bytes.length)
    await command(target, 'upload', 0, bytes.subarray(0, 100_000))
    const last = () => command(target, 'upload, finalize', 100_000, bytes.subarray(100_000))
    const answers = await Promise.all([last(), last()])
    for (const { statusCode } of answers) expect([200, 503]).toContain(statusCode)
    const stored = await call('GET', `${url}?alt=media`)
    if (stored.statusCode === 200) expect(stored.rawPayload.equals(bytes)).toBe(true)
    // The client asks how far the upload has come, and continues there.
    const { headers } = await command(target, 'query')
    const offset = Number(headers['x-goog-upload-size-received'])
    expect((await command(target, 'upload, finalize', offset, bytes.subarray(offset))).statusCode).toBe(200)
    expect((await download()).equals(bytes)).toBe(true)
    expect((await call('DELETE', url)).statusCode).toBe(204)
  }
})

test('a late write of a server that the client has given up on does no harm, and a cancelled upload leaves nothing', async () => {
  const bytes = png(3000)
  const target = await start(bytes.length)
  const parts = `parts/${/upload_id=([^&]+)/.exec(target)?.[1]}`
  await command(target, 'upload', 0, bytes.subarray(0, 2000))
  const late = { modified: Date.now() }
  s3.stored.set(`${parts}/000000000001000.a`, { ...late, bytes: bytes.subarray(1000, 1500) })
  s3.stored.set(`${parts}/000000000001500.b`, { ...late, bytes: bytes.subarray(1500, 2500) })
  expect(await received(target)).toBe('2500')
  expect((await command(target, 'upload, finalize', 2500, bytes.subarray(2500))).statusCode).toBe(200)
  expect((await download()).equals(bytes)).toBe(true)
  expect(keys('parts')).toEqual([])

  const cancelled = await start(1000)
  await command(cancelled, 'upload', 0, png(1000).subarray(0, 500))
  expect((await command(cancelled, 'cancel')).headers['x-goog-upload-status']).toBe('cancelled')
  const refused = await start(1000)
  expect((await command(refused, 'upload', 0, Buffer.alloc(500))).statusCode).toBe(415)
  expect((await upload(Buffer.alloc(500))).statusCode).toBe(415)
  expect(keys('parts')).toEqual([])
  expect(keys('objects')).toHaveLength(2)
})

test('requests that fail are repeated; when the bucket stays unavailable, calls get 503 with Retry-After (reliability 22)', async () => {
  expect((await upload(png(1000))).statusCode).toBe(200)
  const failing = new Map<string, number>()
  /** The first two attempts of each request fail: with 503, and by a closed connection. */
  s3.fault = (asked) => {
    const times = (failing.get(asked) ?? 0) + 1
    failing.set(asked, times)
    return times === 1 ? 503 : times === 2 ? null : undefined
  }
  expect((await download()).equals(png(1000))).toBe(true)
  expect(log).toEqual([])

  for (const [status, attempts] of [
    [503, 3],
    [403, 1],
  ] as const) {
    s3.fault = () => status
    s3.asked.length = 0
    const answer = await call('GET', url)
    expect([answer.statusCode, answer.headers['retry-after'], answer.json()]).toEqual([
      503,
      '5',
      { error: { code: 503, message: 'The storage of pictures is not available. Try again later.' } },
    ])
    expect(s3.asked).toHaveLength(attempts)
    expect(log.splice(0).join('')).toContain(`The object storage answered ${status} `)
  }
})

test('the server does not start with a bucket that refuses it, and warns about one that does not answer', async () => {
  const notices: string[] = []
  const check = (options: Partial<S3Server['options']> = {}) =>
    checkBucket({ ...s3.options, ...options }, (text) => void notices.push(text))
  await check()
  await expect(check({ secret: 'wrong' })).rejects.toThrow(
    /OMS_S3_URL\) cannot be used\. .* answered 403 SignatureDoesNotMatch to GET/,
  )
  await expect(check({ url: `${s3.options.url}-2` })).rejects.toThrow(/404 NoSuchBucket/)
  expect(notices).toEqual([])
  s3.fault = () => null
  await check()
  expect(notices).toEqual([expect.stringContaining('cannot be reached, so pictures are not available.')])
})

test('abandoned uploads and what a crash left behind are deleted after a day, and pictures are kept', async () => {
  await upload(png(1000))
  const half = await start(1000)
  await command(half, 'upload', 0, png(1000).subarray(0, 500))
  const kept = keys('objects')
  const [record = ''] = kept.filter((key) => key.endsWith('.json'))
  for (const key of ['parts/orphan/000000000000000.x', record.replace('.json', '.orphan')])
    s3.stored.set(key, { bytes: png(100), modified: Date.now() })
  const age = async (by: number) => {
    for (const [key, one] of s3.stored) s3.stored.set(key, { ...one, modified: one.modified - by })
    await keepHouse(engine, '/nonexistent', Date.now(), s3.options)
  }
  const before = s3.stored.size
  await age(23 * 60 * 60_000)
  expect(s3.stored.size).toBe(before)
  expect(await received(half)).toBe('500')
  await age(61 * 60_000)
  expect([...s3.stored.keys()]).toEqual(kept)
  expect((await command(half, 'query')).statusCode).toBe(404)
})
