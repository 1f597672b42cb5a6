import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { migrate } from '../../../server/db/migrate.ts'
import { openSqlite } from '../../../server/db/sqlite.ts'
import { diskStore } from '../../../server/storage/disk.ts'
import { storeAtOnce } from '../../../server/storage/uploads.ts'
import { buildDriver } from '../../support/factories.ts'
import { newDatabase } from '../../support/histories.ts'
import type { Installation } from '../../support/installation.ts'
import { install } from '../../support/installation.ts'
import { startPostgresProxy } from '../../support/postgres-proxy.ts'
import { startS3 } from '../../support/s3.ts'
import { png } from '../../support/storage.ts'

const changed = Buffer.alloc(2_000_000)

let installed: Installation
/** A backup with the row of a driver and two pictures. The bytes of one were replaced on the disk by `changed`. */
let backup = ''
beforeAll(async () => {
  installed = install()
  const folder = installed.newFolder()
  backup = join(installed.newFolder(), 'oms.tar.gz')
  const engine = openSqlite(join(folder, 'oms.db'))
  await migrate(engine)
  await buildDriver(engine)
  await engine.close()
  for (const name of ['files/1.png', 'files/2.png']) {
    const bytes = async function* () {
      yield await Promise.resolve(png(2_000_000))
    }
    await storeAtOnce(
      diskStore(folder),
      { name, settings: '', bytes: bytes() },
      { limit: 1e7, now: Date.now() },
    )
  }
  const objects = join(folder, 'storage', 'objects')
  const [content = ''] = readdirSync(objects).filter((name) => !name.endsWith('.json'))
  writeFileSync(join(objects, content), changed)
  const made = await installed.run(['server/backup.ts', backup], { OMS_DATA: folder })
  expect([made.code, made.stdout]).toEqual([0, expect.stringContaining('2 pictures')])
  expect(made.stderr).toMatch(
    /^The picture files\/[12]\.png differs from its checksum\. .+\nWhat to do about damaged pictures: npm run check\n$/,
  )
})
afterAll(() => installed.remove())

test('a restore into a bucket with pictures is refused and changes none, and into an empty one stores also damaged pictures (reliability 33)', async () => {
  const s3 = await startS3()
  const { url, region, keyId, secret } = s3.options
  const access = { OMS_S3_URL: url, OMS_S3_REGION: region, OMS_S3_KEY_ID: keyId, OMS_S3_SECRET: secret }
  const env = { OMS_DATA: installed.newFolder(), ...access }
  const restore = () => installed.run(['server/restore.ts', backup], env)
  s3.stored.set('objects/0.json', { bytes: Buffer.from('{}'), modified: 0 })

  const refused = await restore()
  expect([refused.code, refused.stdout, readdirSync(env.OMS_DATA)]).toEqual([1, '', []])
  expect(refused.stderr).toMatch(
    /^The bucket http.+ \(OMS_S3_URL\) is not empty: it has objects\/0\.json\. .+ delete the folder objects of the bucket\.\n$/,
  )
  expect([...s3.stored.keys()]).toEqual(['objects/0.json'])

  s3.stored.clear()
  expect(await restore()).toMatchObject({ code: 0, stderr: '' })
  expect(s3.stored.size).toBe(4)
  expect([...s3.stored.values()].some(({ bytes }) => bytes.equals(changed))).toBe(true)
  await s3.close()
})

test('a restore that loses PostgreSQL deletes its pictures, tells what failed first, and what to do about its tables (reliability 33)', async () => {
  const place = await newDatabase()
  const proxy = await startPostgresProxy(place.env.DATABASE_URL)
  const env = { OMS_DATA: installed.newFolder(), DATABASE_URL: proxy.url }
  const storage = join(env.OMS_DATA, 'storage')
  const restoring = installed.run(['server/restore.ts', backup], env)
  await vi.waitUntil(() => existsSync(storage), { interval: 1, timeout: 30_000 })
  await proxy.stop()
  const { code, stdout, stderr } = await restoring
  expect({ code, stdout, isKept: existsSync(storage) }).toEqual({ code: 1, stdout: '', isKept: false })
  expect(stderr).toMatch(
    /^The tables .+ could not be deleted\. Create a new database for the next attempt\. .+/,
  )
  // What needed the tables first was a transaction, and not the deletion of the tables.
  expect(stderr).toContain('at async inTransaction')
  await proxy.remove()
  await place.remove()
})
