import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { diskWatch, keepReserve } from '../../server/disk-space.ts'

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
  await expect(keepReserve(full, 1)).rejects.toMatchObject({ statusCode: 507 })
  const s3 = { url: 'https://s3.example.com/pictures', region: 'us-east-1', keyId: 'id', secret: 'secret' }
  await expect(keepReserve({ ...full, s3 }, 1)).resolves.toBeUndefined()
})
