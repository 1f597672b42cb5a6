import { FirebaseError } from 'firebase/app'
import type { FullMetadata, UploadTask } from 'firebase/storage'
import {
  deleteObject,
  getBytes,
  getDownloadURL,
  getMetadata,
  getStream,
  list,
  listAll,
  ref,
  updateMetadata,
  uploadBytes,
  uploadBytesResumable,
  uploadString,
} from 'firebase/storage'
import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Engine } from '../../../server/db/engine.ts'
import type { TypedApp } from '../../../server/deps.ts'
import { openTestEngine } from '../../support/engines.ts'
import { buildStaff } from '../../support/factories.ts'
import type { Fault, FaultProxy } from '../../support/fault-proxy.ts'
import { startFaultProxy } from '../../support/fault-proxy.ts'
import type { S3Server } from '../../support/s3.ts'
import { startS3 } from '../../support/s3.ts'
import { bootApp, signIn } from '../../support/server.ts'
import { repeats } from '../../support/soak.ts'
import { useSdk, filesBelow, png, useDataFolder } from '../../support/storage.ts'

const chunk = 256 * 1024

// The bucket has tests of its own, and runs these in `npm run soak`.
describe.each(['on the disk', 'in a bucket'].slice(0, repeats(1, 2)))(
  'the storage SDK, with pictures %s',
  (where) => {
    const dataFolder = useDataFolder()
    const connectSdk = useSdk()
    let engine: Engine
    let app: TypedApp
    let url: string
    let token: string
    let s3: S3Server | null = null
    const start = async (port = 0) => {
      app = await bootApp(engine, {
        config: { dataFolder: dataFolder(), uploadLimit: 40_000_000, s3: s3?.options ?? null },
      })
      url = await app.listen({ port, host: '127.0.0.1' })
    }
    beforeEach(async () => {
      engine = await openTestEngine('sqlite')
      s3 = where === 'in a bucket' ? await startS3() : null
      await start()
      const { authorization } = await signIn(app, await buildStaff(engine))
      token = authorization.replace('Bearer ', '')
    })
    afterEach(async () => {
      await app.close()
      await engine.close()
      await s3?.close()
    })

    const place = (name: string) => ref(connectSdk(url, token), name)
    const download = async (address: string) => Buffer.from(await (await fetch(address)).arrayBuffer())
    /** The code and the status of an error. */
    const failureOf = async (call: () => Promise<unknown>) => {
      const error = await call().then(
        () => undefined,
        (reason: unknown) => reason,
      )
      return error instanceof FirebaseError && 'status' in error
        ? { code: error.code, status: error.status }
        : { code: 'none', status: error }
    }

    test('stores a small image in one request and downloads it from its address without a session (S7.37)', async () => {
      const bytes = png(chunk)
      const { ref: stored } = await uploadBytesResumable(place('uploads/1-Giraffe “Fränzi” 😀.png'), bytes)
      const address = await getDownloadURL(stored)
      expect(address).toContain(`${url}/v0/b/oms/o/uploads%2F1-Giraffe`)
      expect((await download(address)).equals(bytes)).toBe(true)
      expect(Buffer.from(await getBytes(stored)).equals(bytes)).toBe(true)
      expect(Buffer.from(await getBytes(stored, 1000)).equals(bytes.subarray(0, 1000))).toBe(true)
      expect((await buffer(getStream(stored))).equals(bytes)).toBe(true)
    })

    test('stores 40 MB in chunks of doubling size and reports the exact progress (S9.13)', async () => {
      const bytes = png(40_000_000)
      const task = uploadBytesResumable(place('files/1-large.png'), bytes)
      const progress: number[] = []
      task.on('state_changed', ({ bytesTransferred }) => progress.push(bytesTransferred))
      const { ref: stored, totalBytes } = await task
      const ends = [1, 3, 7, 15, 31, 63, 127].map((chunks) => chunks * chunk)
      expect([...progress, totalBytes]).toEqual([0, ...ends, bytes.length, bytes.length])
      expect((await download(await getDownloadURL(stored))).equals(bytes)).toBe(true)
    })

    test('stores a larger image in one request too, and an image that is sent as base64 text', async () => {
      const bytes = png(3_000_001)
      await uploadBytes(place('files/1-whole.png'), bytes)
      expect(Buffer.from(await getBytes(place('files/1-whole.png'))).equals(bytes)).toBe(true)
      await uploadString(place('files/1-text.png'), png(1000).toString('base64'), 'base64')
      expect(Buffer.from(await getBytes(place('files/1-text.png'))).equals(png(1000))).toBe(true)
    })

    test('reads the metadata of a file and changes it, except the size and type', async () => {
      const { metadata } = await uploadBytes(place('files/1-a.png'), png(1000), {
        contentType: 'text/html',
        cacheControl: 'private, max-age=60',
        customMetadata: { by: 'Jo', of: 'Lamu “old town”' },
      })
      const known: Partial<FullMetadata> = {
        name: '1-a.png',
        fullPath: 'files/1-a.png',
        bucket: 'oms',
        size: 1000,
        contentType: 'image/png',
        cacheControl: 'private, max-age=60',
        md5Hash: createHash('md5').update(png(1000)).digest('base64'),
        metageneration: '1',
        customMetadata: { by: 'Jo', of: 'Lamu “old town”' },
      }
      expect(metadata).toMatchObject(known)
      const changed = await updateMetadata(place('files/1-a.png'), {
        contentType: 'text/html',
        contentLanguage: 'sw',
        customMetadata: { by: 'Amina' },
      })
      expect(changed).toMatchObject({
        contentType: 'image/png',
        cacheControl: 'private, max-age=60',
        contentLanguage: 'sw',
        metageneration: '2',
        generation: metadata.generation,
        customMetadata: { by: 'Amina', of: 'Lamu “old town”' },
      })
      expect(await getMetadata(place('files/1-a.png'))).toEqual(changed)
    })

    test('lists folders and files in order, in pages', async () => {
      for (const name of ['b.png', 'Ä.png', '😀.png', '\uffee.png', 'a/1.png', 'a/b/2.png', 'a.png'])
        await uploadBytes(place(`files/${name}`), png(100))
      await uploadBytes(place('uploads/other.png'), png(100))
      const names = (refs: { fullPath: string }[]) => refs.map(({ fullPath }) => fullPath)

      const all = await listAll(place('files'))
      expect(names(all.prefixes)).toEqual(['files/a'])
      expect(names(all.items)).toEqual(
        ['a.png', 'b.png', 'Ä.png', '\uffee.png', '😀.png'].map((name) => `files/${name}`),
      )
      expect(names((await listAll(place('files/a'))).items)).toEqual(['files/a/1.png'])
      expect(names(await listAll(place('')).then(({ prefixes }) => prefixes))).toEqual(['files', 'uploads'])
      expect(await listAll(place('files/nothing'))).toMatchObject({ items: [], prefixes: [] })

      const pages: string[][] = []
      for (let pageToken: string | undefined; ;) {
        const page = await list(place('files'), { maxResults: 2, ...(pageToken && { pageToken }) })
        pages.push(names([...page.prefixes, ...page.items]))
        pageToken = page.nextPageToken
        if (!pageToken) break
      }
      expect(pages.map((page) => page.length)).toEqual([2, 2, 2])
      expect(pages.flat().toSorted()).toEqual(names([...all.prefixes, ...all.items]).toSorted())
    })

    test('deletes a file; after that it is not found (S8.14)', async () => {
      await uploadBytes(place('files/1-a.png'), png(100))
      const address = await getDownloadURL(place('files/1-a.png'))
      await deleteObject(place('files/1-a.png'))
      for (const call of [getMetadata, getBytes, deleteObject])
        expect(await failureOf(() => call(place('files/1-a.png')))).toMatchObject({
          code: 'storage/object-not-found',
        })
      expect((await fetch(address)).status).toBe(403)
    })

    const whole = (name: string, bytes: Buffer, md5Hash?: string) => () =>
      uploadBytes(place(name), bytes, md5Hash ? { md5Hash } : {})
    const pieces = (name: string, bytes: Buffer) => () => uploadBytesResumable(place(name), bytes).then()

    test.each([
      ['too much at once', whole('files/1-a.png', Buffer.alloc(40_000_001)), 'storage/unknown', 413],
      ['too much in pieces', pieces('files/1-a.png', Buffer.alloc(40_000_001)), 'storage/unknown', 413],
      ['no picture at once', whole('files/1-a.png', Buffer.from('<html>')), 'storage/unknown', 415],
      ['no picture in pieces', pieces('files/1-a.png', Buffer.alloc(4 * chunk)), 'storage/unknown', 415],
      ['other bytes than announced', whole('files/1-a.png', png(100), 'AAAA'), 'storage/unknown', 400],
      ['a folder of nobody', whole('elsewhere/1-a.png', png(100)), 'storage/unauthorized', 403],
      [
        'a stranger',
        () => uploadBytes(ref(connectSdk(url, 'wrong'), 'files/1-a.png'), png(100)),
        'storage/unauthenticated',
        401,
      ],
    ])('gets an error for %s, and nothing is stored (S8.14)', async (_what, upload, code, status) => {
      expect(await failureOf(upload)).toEqual({ code, status })
      expect([...filesBelow(dataFolder()), ...(s3?.stored.keys() ?? [])]).toEqual([])
    })

    describe('on a failing connection', () => {
      let proxy: FaultProxy | undefined
      afterEach(() => proxy?.close())

      /** Uploads 3 MB through a proxy with the given faults. Resolves to the stored size and the commands sent. */
      const uploadThrough = async (
        faultOf: (command: string, nth: number) => Fault | undefined,
        during: (task: UploadTask) => void = () => undefined,
      ) => {
        proxy = await startFaultProxy(url, faultOf)
        const bytes = png(3_000_000)
        const task = uploadBytesResumable(ref(connectSdk(proxy.url, token), 'files/1-a.png'), bytes)
        during(task)
        const { metadata } = await task
        expect(metadata).toMatchObject({ fullPath: 'files/1-a.png', size: bytes.length })
        expect(Buffer.from(await getBytes(place('files/1-a.png'))).equals(bytes)).toBe(true)
        return proxy.commands
      }

      test('after a 503 the client queries the upload and continues it (S8.14, S9.13)', async () => {
        const commands = await uploadThrough((_command, nth) => (nth === 3 ? { answer: 503 } : undefined))
        expect(commands.slice(0, 5)).toEqual(['start', 'upload 0', 'upload 262144', 'query', 'upload 262144'])
      })

      test('a chunk whose connection broke is sent again and overwrites its first part (S8.14)', async () => {
        const commands = await uploadThrough((_command, nth) =>
          nth === 3 ? { cutAfter: 100_000 } : undefined,
        )
        expect(commands.slice(0, 4)).toEqual(['start', 'upload 0', 'upload 262144', 'upload 262144'])
      })

      test('a received chunk whose reply was lost is sent again and stored once (S8.14)', async () => {
        const commands = await uploadThrough((_command, nth) => (nth === 3 ? 'lose the answer' : undefined))
        expect(commands.slice(0, 4)).toEqual(['start', 'upload 0', 'upload 262144', 'upload 262144'])
      })

      test('a finalize whose reply was lost gets the same reply again (S8.14)', async () => {
        let lost = 0
        const commands = await uploadThrough((command) =>
          command.startsWith('upload, finalize') && ++lost < 2 ? 'lose the answer' : undefined,
        )
        expect(commands.slice(-2)).toEqual([commands.at(-1), commands.at(-1)])
        expect((await listAll(place('files'))).items).toHaveLength(1)
      })

      test('a finalize whose reply was replaced by a 502 is found to be complete (S8.14)', async () => {
        let lost = 0
        const commands = await uploadThrough((command) =>
          command.startsWith('upload, finalize') && ++lost < 2 ? { answerInstead: 502 } : undefined,
        )
        expect(commands.at(-1)).toBe('query')
      })

      test('an upload continues after the server restarts during a chunk (S9.13)', async () => {
        const { port } = new URL(url)
        const meanwhile = async () => {
          await app.close()
          await start(Number(port))
        }
        const commands = await uploadThrough((_command, nth) =>
          nth === 3 ? { cutAfter: 100_000, meanwhile } : undefined,
        )
        expect(commands.slice(0, 4)).toEqual(['start', 'upload 0', 'upload 262144', 'upload 262144'])
      })

      test('a paused upload sends nothing and continues when resumed', async () => {
        const states: string[] = []
        await uploadThrough(
          () => undefined,
          (task) => {
            task.on('state_changed', ({ state, bytesTransferred }) => {
              states.push(state)
              if (bytesTransferred === chunk && !states.includes('paused')) task.pause()
              if (state === 'paused') task.resume()
            })
          },
        )
        expect(states).toContain('paused')
      })

      test('a cancelled upload ends without a file (S8.14)', async () => {
        const ended = () =>
          uploadThrough(
            () => undefined,
            (task) => {
              task.on('state_changed', ({ bytesTransferred }) => {
                if (bytesTransferred > 0) task.cancel()
              })
            },
          )
        expect(await failureOf(ended)).toMatchObject({ code: 'storage/canceled' })
        expect(await listAll(place(''))).toMatchObject({ items: [], prefixes: [] })
      })
    })
  },
)
