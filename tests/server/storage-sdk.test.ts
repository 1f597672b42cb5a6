import {
  getBytes,
  getDownloadURL,
  getMetadata,
  ref,
  uploadBytes,
  uploadBytesResumable,
} from 'firebase/storage'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Engine } from '../../server/db/engine.ts'
import type { TypedApp } from '../../server/deps.ts'
import { openTestEngine } from '../support/engines.ts'
import { buildStaff } from '../support/factories.ts'
import { bootApp, signIn } from '../support/server.ts'
import { connectSdk, png, useDataFolder } from '../support/storage.ts'

describe('the storage SDK', () => {
  const dataFolder = useDataFolder()
  let engine: Engine
  let app: TypedApp
  let url: string
  let token: string
  beforeEach(async () => {
    engine = await openTestEngine('sqlite')
    app = await bootApp(engine, { config: { dataFolder: dataFolder() } })
    url = await app.listen({ port: 0, host: '127.0.0.1' })
    const { authorization } = await signIn(app, await buildStaff(engine))
    token = authorization.replace('Bearer ', '')
  })
  afterEach(async () => {
    await app.close()
    await engine.close()
  })

  test('stores a small picture in one piece and downloads it by its address (S7.37)', async () => {
    const place = ref(connectSdk(url, token), 'uploads/1-Giraffe “Fränzi”.png')
    const bytes = png(100_000)
    const { metadata } = await uploadBytes(place, bytes, { contentType: 'text/html' })
    expect(metadata).toMatchObject({ contentType: 'image/png', size: 100_000, bucket: 'oms' })
    expect(Buffer.from(await getBytes(place)).equals(bytes)).toBe(true)
    const answer = await fetch(await getDownloadURL(place))
    expect(answer.status).toBe(200)
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
  })

  test('stores 40 MB in pieces and counts them exactly (S9.13)', async () => {
    const place = ref(connectSdk(url, token), 'files/1-large.png')
    const bytes = png(40_000_000)
    const task = uploadBytesResumable(place, bytes)
    const progress: number[] = []
    task.on('state_changed', ({ bytesTransferred }) => progress.push(bytesTransferred))
    await task
    const chunk = 256 * 1024
    const ends = [1, 3, 7, 15, 31, 63, 127].map((chunks) => chunks * chunk)
    expect(progress).toEqual([0, ...ends, bytes.length])
    expect((await getMetadata(place)).size).toBe(bytes.length)
    const answer = await fetch(await getDownloadURL(place))
    expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)
  })
})
