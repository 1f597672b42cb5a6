import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeBackup } from '../../../server/backup/write.ts'
import { migrate } from '../../../server/db/migrate.ts'
import { openSqlite } from '../../../server/db/sqlite.ts'
import { diskStore } from '../../../server/storage/disk.ts'
import { storeAtOnce } from '../../../server/storage/uploads.ts'
import { writeOldDatabase } from '../../support/old-database.ts'
import { newDatabase } from '../../support/histories.ts'
import type { Installation } from '../../support/installation.ts'
import { install } from '../../support/installation.ts'
import { isSoak } from '../../support/soak.ts'
import { png } from '../../support/storage.ts'

/** Larger than the database with its journal, and than what a limit leaves. */
const picture = Buffer.concat([png(100), randomBytes(6_000_000)])

let installed: Installation
/** A data folder, and a backup of it. */
let folder = ''
let backup = ''
beforeAll(async () => {
  installed = install()
  folder = installed.newFolder()
  backup = join(installed.newFolder(), 'oms.tar.gz')
  const engine = openSqlite(join(folder, 'oms.db'))
  await writeOldDatabase(engine)
  await migrate(engine)
  const bytes = async function* () {
    yield await Promise.resolve(picture)
  }
  const upload = { name: 'files/1.png', settings: '', bytes: bytes() }
  await storeAtOnce(diskStore(folder), upload, { limit: 1e7, now: Date.now() })
  await writeBackup(engine, diskStore(folder), backup, () => undefined)
  await engine.close()
})
afterAll(() => installed.remove())

/** Runs a program whose files can have at most so many KiB each, without a disk that is really full. */
const runWith = (kib: number, args: string[], env: Record<string, string>) =>
  installed.run(args, env, '', `ulimit -f ${kib * 2}`)

const fullDisk = (what: string, reason = '.+') =>
  new RegExp(`^${what}: its disk is full \\(${reason}\\)\\. Nothing of it was kept\\. Make room, .+\\n$`)

test('a backup onto a full disk says so and leaves nothing but the earlier one, and works when there is room (reliability 33)', async () => {
  const env = { OMS_DATA: folder }
  const place = installed.newFolder()
  const file = join(place, 'oms.tar.gz')
  writeFileSync(file, 'earlier')
  for (const kib of isSoak ? [1, 40, 3000] : [3000]) {
    const failed = await runWith(kib, ['server/backup.ts', file], env)
    expect([failed.code, failed.stdout]).toEqual([1, ''])
    expect(failed.stderr).toMatch(
      kib === 1
        ? fullDisk(`No backup can be made of ${folder}`)
        : fullDisk(`The backup cannot be written to ${place}`, 'EFBIG.+'),
    )
    expect([readdirSync(place), readFileSync(file, 'utf8')]).toEqual([['oms.tar.gz'], 'earlier'])
  }
  expect(await installed.run(['server/backup.ts', file], env)).toMatchObject({ code: 0, stderr: '' })
})

describe('a restore onto a full disk', () => {
  test.each(isSoak ? [4, 100, 600, 3000] : [600])(
    'with room for %d KiB says so and leaves an empty folder, and works when there is room (reliability 33)',
    async (kib) => {
      const env = { OMS_DATA: installed.newFolder() }
      const failed = await runWith(kib, ['server/restore.ts', backup], env)
      expect([failed.code, failed.stdout, readdirSync(env.OMS_DATA)]).toEqual([1, '', []])
      expect(failed.stderr).toMatch(fullDisk(`The backup cannot be restored into ${env.OMS_DATA}`))
      await restore(env)
    },
  )

  test('of PostgreSQL or of the pictures says so and leaves neither tables nor pictures, and works when there is room (reliability 33)', async () => {
    const place = await newDatabase()
    const env = { ...place.env, OMS_DATA: installed.newFolder() }
    const engine = place.open()
    const failing = async (kib: number, reason: string) => {
      const failed = await runWith(kib, ['server/restore.ts', backup], env)
      expect([failed.code, failed.stdout]).toEqual([1, ''])
      expect(failed.stderr).toMatch(
        fullDisk('The backup cannot be restored into the database of DATABASE_URL', reason),
      )
      expect(await engine.db.introspection.getTables()).toEqual([])
      expect(existsSync(join(env.OMS_DATA, 'storage'))).toBe(false)
    }
    await failing(3000, 'EFBIG.+')
    if (isSoak) {
      await sql`create function refuse() returns event_trigger language plpgsql as
        $$ begin raise disk_full using message = 'No space left on device'; end $$`.execute(engine.db)
      await sql`create event trigger full_disk on ddl_command_start when tag in ('CREATE TRIGGER')
        execute function refuse()`.execute(engine.db)
      await failing(10_000, 'No space left on device')
      await sql`drop event trigger full_disk`.execute(engine.db)
    }
    await restore(env)
    await engine.close()
    await place.remove()
  })
})

async function restore(env: Record<string, string>): Promise<void> {
  expect(await installed.run(['server/restore.ts', backup], env)).toMatchObject({ code: 0, stderr: '' })
  if (isSoak) expect(await installed.run(['server/check.ts'], env)).toMatchObject({ code: 0 })
}
