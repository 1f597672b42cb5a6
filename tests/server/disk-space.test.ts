import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { diskWatch, reserveKeeper } from '../../server/disk-space.ts'

test('the log warns before the disk is full, once for each change, and tells when there is room again (reliability 21)', async () => {
  const { bavail, bsize } = statfsSync(tmpdir())
  const free = bavail * bsize
  const where = { dataFolder: tmpdir(), minFree: 1 }
  const said: unknown[] = []
  const log = { warn: (facts: unknown) => said.push(facts), error: (facts: unknown) => said.push(facts) }
  const watch = diskWatch(where, log)
  for (const reserve of [1, free * 0.7, free * 0.7, free * 2, 1]) {
    where.minFree = Math.round(reserve)
    await watch()
  }
  const level = (disk: string): unknown => expect.objectContaining({ disk })
  expect(said).toEqual([level('low'), level('full'), level('enough')])
})

test('a folder that does not exist yet is no warning and no error', async () => {
  const said: unknown[] = []
  const log = { warn: (facts: unknown) => said.push(facts), error: (facts: unknown) => said.push(facts) }
  await diskWatch({ dataFolder: '/nonexistent/folder', minFree: 1 }, log)()
  expect(said).toEqual([])
})

test('uploads keep the reserve of the disk, but not those that go to a bucket', async () => {
  const full = { dataFolder: tmpdir(), minFree: 2 ** 52, s3: null }
  const upload = () => Promise.resolve('stored')
  await expect(reserveKeeper(full)(1, upload)).rejects.toMatchObject({ statusCode: 507 })
  const s3 = { url: 'https://s3.example.com/pictures', region: 'us-east-1', keyId: 'id', secret: 'secret' }
  await expect(reserveKeeper({ ...full, s3 })(1, upload)).resolves.toBe('stored')
})

test('an upload is refused if it and those that are running would use the reserve of the disk (reliability 21)', async () => {
  const { bavail, bsize } = statfsSync(tmpdir())
  const free = bavail * bsize
  const keepReserve = reserveKeeper({ dataFolder: tmpdir(), minFree: free * 0.3, s3: null })
  const store = () => Promise.resolve('stored')
  const isStarted = Promise.withResolvers<null>()
  const isEnded = Promise.withResolvers<string>()
  const size = free * 0.4
  const running = keepReserve(size, () => {
    isStarted.resolve(null)
    return isEnded.promise
  })
  await isStarted.promise
  await expect(keepReserve(size, store)).rejects.toMatchObject({ statusCode: 507 })
  isEnded.reject(new Error('The connection closed.'))
  await expect(running).rejects.toThrow('The connection closed.')
  await expect(keepReserve(size, store)).resolves.toBe('stored')
})
