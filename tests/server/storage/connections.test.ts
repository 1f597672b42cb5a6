import type { ClientRequest, IncomingMessage } from 'node:http'
import { request } from 'node:http'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { migrate } from '../../../server/db/migrate.ts'
import { openSqlite } from '../../../server/db/sqlite.ts'
import { buildStaff } from '../../support/factories.ts'
import type { Installation, RunningServer } from '../../support/installation.ts'
import { install } from '../../support/installation.ts'
import { bootApp, signIn } from '../../support/server.ts'
import { filesBelow, multipart, png } from '../../support/storage.ts'

const objects = '/v0/b/oms/o'

let installed: Installation
beforeAll(() => {
  installed = install()
})
afterAll(() => installed.remove())

describe('the storage of a server process', () => {
  let dataFolder: string
  let authorization: string
  let server: RunningServer
  const start = async (shell?: string) => {
    server = await installed.start({ OMS_DATA: dataFolder, OMS_LOG: 'silent' }, shell)
  }
  beforeEach(async () => {
    dataFolder = installed.newFolder()
    const engine = openSqlite(join(dataFolder, 'oms.db'))
    await migrate(engine)
    const app = await bootApp(engine)
    authorization = (await signIn(app, await buildStaff(engine))).authorization.replace('Bearer', 'Firebase')
    await app.close()
    await engine.close()
  })
  afterEach(() => server.end('SIGKILL'))

  const stored = () => filesBelow(join(dataFolder, 'storage'))
  const ask = (method: string, path: string, headers: Record<string, string> = {}, bytes?: Buffer) =>
    fetch(server.url + path, {
      method,
      headers: { authorization, ...headers },
      ...(bytes && { body: new Uint8Array(bytes) }),
    })
  const upload = (name: string, bytes: Buffer) => {
    const { headers, payload } = multipart(bytes)
    return ask('POST', `${objects}?name=${encodeURIComponent(name)}`, headers, payload)
  }
  const startUpload = async (size: number) => {
    const answer = await ask('POST', `${objects}?name=files%2F1-a.png`, {
      'x-goog-upload-protocol': 'resumable',
      'x-goog-upload-command': 'start',
      'x-goog-upload-header-content-length': String(size),
    })
    const url = new URL(answer.headers.get('x-goog-upload-url') ?? '')
    expect(url.origin).toBe(server.url)
    return url.pathname + url.search
  }
  const command = (path: string, words: string, offset = 0, bytes?: Buffer) =>
    ask('POST', path, { 'x-goog-upload-command': words, 'x-goog-upload-offset': String(offset) }, bytes)
  const download = async (name: string) =>
    Buffer.from(await (await ask('GET', `${objects}/${encodeURIComponent(name)}?alt=media`)).arrayBuffer())

  /** Sends the first part of a chunk and then nothing, on a connection that stays open. */
  const beginPiece = (path: string, offset: number, part: Buffer): ClientRequest => {
    const piece = request(server.url + path, {
      method: 'POST',
      agent: false,
      headers: {
        authorization,
        'content-length': 1_000_000,
        'x-goog-upload-command': 'upload',
        'x-goog-upload-offset': offset,
      },
    })
    piece.on('error', () => undefined)
    piece.write(part)
    return piece
  }
  const sizes = () => stored().map((file) => statSync(join(dataFolder, 'storage', file)).size)
  const untilStored = (size: number) => expect.poll(sizes, { interval: 5 }).toContain(size)

  test('keeps complete files, shows no incomplete ones and can continue the upload after a kill (S9.13, reliability 19)', async () => {
    await start()
    const bytes = png(1_000_000)
    expect((await upload('files/0-before.png', png(1000))).status).toBe(200)
    const path = await startUpload(bytes.length)
    expect((await command(path, 'upload', 0, bytes.subarray(0, 300_000))).status).toBe(200)
    beginPiece(path, 300_000, bytes.subarray(300_000, 500_000))
    await untilStored(500_000)
    await server.end('SIGKILL')

    await start()
    expect((await download('files/0-before.png')).equals(png(1000))).toBe(true)
    expect(await (await ask('GET', objects)).json()).toEqual({
      prefixes: [],
      items: [{ name: 'files/0-before.png', bucket: 'oms' }],
    })
    expect((await ask('GET', `${objects}/files%2F1-a.png`)).status).toBe(404)
    const { headers } = await command(path, 'query')
    expect(headers.get('x-goog-upload-size-received')).toBe('500000')
    const end = await command(path, 'upload, finalize', 300_000, bytes.subarray(300_000))
    expect(end.status).toBe(200)
    expect((await download('files/1-a.png')).equals(bytes)).toBe(true)
  })

  test('stores an upload once that is finalized many times concurrently, always with the same reply', async () => {
    await start()
    const path = await startUpload(1000)
    await command(path, 'upload', 0, png(1000))
    const answers = await Promise.all(Array.from({ length: 20 }, () => command(path, 'finalize', 1000)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(await Promise.all(answers.map((answer) => answer.text()))).size).toBe(1)
    expect(stored().filter((file) => file.startsWith('objects/'))).toHaveLength(2)
  })

  test('aborts a chunk on a stalled connection when the client sends it again on another connection (S8.14)', async () => {
    await start()
    const path = await startUpload(1_000_000)
    const hanging = beginPiece(path, 0, png(200_000))
    const ended = new Promise((resolve) => hanging.on('close', resolve))
    await untilStored(200_000)
    expect((await command(path, 'upload, finalize', 0, png(1_000_000))).status).toBe(200)
    await ended
    expect((await download('files/1-a.png')).equals(png(1_000_000))).toBe(true)
  })

  test('replies with 413 while the client is still sending too many bytes', async () => {
    await start()
    const piece = beginPiece(await startUpload(1000), 0, png(200_000))
    const answer = await new Promise<IncomingMessage>((resolve) => piece.on('response', resolve))
    expect(answer.statusCode).toBe(413)
    piece.destroy()
  })

  test('rejects an upload on a full disk, stores nothing of it, and can still read (reliability 21)', async () => {
    // In blocks of 512 bytes.
    await start('ulimit -f 2000')
    expect((await upload('files/0-before.png', png(1000))).status).toBe(200)
    const before = stored()
    const whole = await upload('files/1-a.png', png(2_000_000))
    expect(whole.status).toBe(507)
    expect(await whole.json()).toEqual({
      error: { code: 507, message: 'The server has no disk space left.' },
    })
    expect(stored()).toEqual(before)
    expect((await command(await startUpload(2_000_000), 'upload', 0, png(2_000_000))).status).toBe(507)
    expect((await download('files/0-before.png')).equals(png(1000))).toBe(true)
  })
})
