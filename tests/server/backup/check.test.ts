import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { sealAudit } from '../../../server/audit/seals.ts'
import { writeBackup } from '../../../server/backup/write.ts'
import { checkAudit } from '../../../server/check/audit.ts'
import { checkDatabase } from '../../../server/check/database.ts'
import type { Finding } from '../../../server/check/finding.ts'
import { checkNumbers } from '../../../server/check/numbers.ts'
import { checkPictures } from '../../../server/check/pictures.ts'
import { checkTexts } from '../../../server/check/texts.ts'
import { migrate } from '../../../server/db/migrate.ts'
import { openPostgres } from '../../../server/db/postgres.ts'
import { openSqlite } from '../../../server/db/sqlite.ts'
import { diskStore } from '../../../server/storage/disk.ts'
import { storeAtOnce } from '../../../server/storage/uploads.ts'
import { engines, openBareEngine } from '../../support/engines.ts'
import { buildAttraction, buildCoupon, buildDriver, buildTrip } from '../../support/factories.ts'
import { newDatabase } from '../../support/histories.ts'
import type { Installation } from '../../support/installation.ts'
import { install } from '../../support/installation.ts'
import { writeOldDatabase } from '../../support/old-database.ts'
import { filesBelow } from '../../support/storage.ts'

const png = Buffer.from('\x89PNG\r\n\x1a\n and the rest', 'latin1')

async function found(findings: AsyncGenerator<Finding>): Promise<string[]> {
  const texts: string[] = []
  for await (const { what } of findings) texts.push(what)
  return texts
}

describe.each(engines)('the check of data on %s', (name) => {
  test('finds nothing in an upgraded database, and then each wrong number and a changed row of the audit (reliability 19, 33)', async () => {
    const engine = await openBareEngine(name)
    await writeOldDatabase(engine)
    await migrate(engine)
    expect(await found(checkDatabase(engine))).toEqual([])
    expect(await found(checkNumbers(engine))).toEqual([])
    await sealAudit(engine, Date.now())
    expect(await found(checkAudit(engine))).toEqual([])
    await sql`update audit set staff_id = 1, command = 'coupon.update' where id = 1`.execute(engine.db)
    expect(await found(checkAudit(engine))).not.toEqual([])
    const { value } = await engine.db
      .selectFrom('counters')
      .select('value')
      .where('name', '=', 'invoices.unpaid_amount')
      .where('part', '=', 0)
      .executeTakeFirstOrThrow()
    await sql`update counters set value = value + 1 where name = 'invoices.unpaid_amount' and part = 0`.execute(
      engine.db,
    )
    await sql`update daily set low = 70 where entity = 'trips' and term = ''`.execute(engine.db)
    await sql`update daily set high = 0 where entity = 'trips' and term = ''`.execute(engine.db)
    await sql`update daily set n = n + 1 where entity = 'trips' and term = 'completed'`.execute(engine.db)
    await sql`update id_buckets set n = 77 where entity = 'drivers'`.execute(engine.db)
    await sql`delete from hourly where entity = 'trips'`.execute(engine.db)
    await sql`update area_days set amount = amount + 1`.execute(engine.db)
    await engine.db.updateTable('drivers').set({ total_earnings: -5 }).where('id', '=', 1).execute()
    const wrong = (await found(checkNumbers(engine))).join('\n')
    expect(wrong).toContain(`The counter invoices.unpaid_amount is ${value + 1} and should be ${value}`)
    expect(wrong).toMatch(/^n of drivers in id_buckets, bucket 0 is 77 and should be \d+$/m)
    expect(wrong).toMatch(/^n of trips in hourly, hour \d+ is 0 and should be \d+$/m)
    expect(wrong).toMatch(/^amount of trips in area_days, day \d+, area .* is \d+ and should be \d+$/m)
    expect(wrong).toMatch(/^low of trips in daily, all, day \d+ is 70 and should be \d+$/m)
    expect(wrong).toMatch(/^high of trips in daily, all, day \d+ is 0 and should be \d+$/m)
    expect(wrong).toMatch(/^n of trips in daily, completed, day \d+ is \d+ and should be \d+$/m)
    expect(wrong).toMatch(/^total_earnings of drivers 1 is -5 and should be \d+$/m)
    if (name === 'sqlite') {
      await sql`pragma foreign_keys = off`.execute(engine.db)
      await sql`delete from slots`.execute(engine.db)
      expect((await found(checkDatabase(engine)))[0]).toMatch(
        /^pre_bookings \d+ refers to a row of slots that is/,
      )
    }
    await engine.close()
  })

  test('finds nothing in texts that were changed and deleted, and then each that is not as its record (reliability 19, 33)', async () => {
    const engine = await openBareEngine(name)
    await writeOldDatabase(engine)
    await migrate(engine)
    const { id } = await buildDriver(engine, { fullname: "Zawadi O'Brien-Ngũgĩ" })
    await buildTrip(engine, { notes: '', start_name: 'Ōtsuki' })
    await engine.db
      .updateTable('drivers')
      .set({ fullname: 'Zuri', search: 'zuri' })
      .where('id', '=', 1)
      .execute()
    await engine.db.deleteFrom('drivers').where('id', '=', id).execute()
    expect(await found(checkTexts(engine))).toEqual([])

    const text = { fullname: 'Ann "Nan" O\'Hara', search: 'ann' }
    for (let wrong = 0; wrong < 7; wrong++) await buildDriver(engine, text)
    await sql`update trips set search = notes where id = 1`.execute(engine.db)
    const findings: Finding[] = []
    for await (const finding of checkTexts(engine)) findings.push(finding)
    const named = findings.map(({ what }) => what.replace(/^(The column search of drivers) \d+/, '$1'))
    expect(named).toEqual([
      ...Array.from({ length: 5 }, () => 'The column search of drivers does not fit its fullname'),
      '2 more rows of drivers have such a column',
      'The column search of trips 1 does not fit its start_name, destination_name, notes',
    ])
    for (const { todo } of findings)
      await sql
        .raw(
          /: (update .*)$/.exec(todo)?.[1] ??
            `update drivers set search = 'ann "nan" o''hara' where search = 'ann'`,
        )
        .execute(engine.db)
    expect(await found(checkTexts(engine))).toEqual([])
    await engine.close()
  })

  test('finds words that an index or a list of a search has not, or has of another text (reliability 19, 33)', async () => {
    const engine = await openBareEngine(name)
    await migrate(engine)
    const { id } = await buildDriver(engine, { fullname: 'Amina Otieno' })
    await buildTrip(engine, { start_name: 'Nakuru' })
    await sql`delete from found_words where word = 'amina'`.execute(engine.db)
    await sql`delete from trips_vocabulary where word = 'nakuru'`.execute(engine.db)
    expect(await found(checkTexts(engine))).toEqual([
      'found_words lacks 1 words of drivers',
      'trips_vocabulary lacks 1 words of trips',
    ])
    await sql`delete from meta where name like 'derived.%.hash'`.execute(engine.db)
    await migrate(engine)
    expect(await found(checkTexts(engine))).toEqual([])
    const renameAndAdd = async (fullname: string) => {
      const names = { fullname, search: fullname.toLowerCase() }
      await engine.db.updateTable('drivers').set(names).where('id', '=', id).execute()
      await buildDriver(engine)
    }
    if (name === 'sqlite') {
      await sql`drop trigger drivers_words_update`.execute(engine.db)
      await sql`drop trigger drivers_trigrams_insert`.execute(engine.db)
      await sql`drop trigger trips_words_delete`.execute(engine.db)
      await renameAndAdd('Amin Otieno')
      await engine.db.deleteFrom('trips').execute()
      expect(await found(checkTexts(engine))).toEqual([
        'The index drivers_trigrams does not have the words of drivers',
        'The index drivers_words does not have the words of drivers',
        'The index trips_words does not have the words of trips',
        'found_words lacks 1 words of drivers',
      ])
    } else {
      await sql`alter table drivers disable trigger drivers_trigrams`.execute(engine.db)
      await renameAndAdd('Otieno Amina')
      expect(await found(checkTexts(engine))).toEqual(['drivers_trigrams differs from 2 texts of drivers'])
      await sql`delete from drivers_trigrams where id = ${id}`.execute(engine.db)
      await sql`insert into drivers_trigrams values (4711, 'amina')`.execute(engine.db)
      expect(await found(checkTexts(engine))).toEqual(['drivers_trigrams differs from 3 texts of drivers'])
    }
    await engine.close()
  })
})

test('the check of texts reads a database of SQLite as it was at one moment, and nobody waits for it (reliability 33)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'oms-check-'))
  const [checked, used] = [openSqlite(join(folder, 'oms.db')), openSqlite(join(folder, 'oms.db'))]
  await migrate(used)
  await buildDriver(used)
  await sql`pragma busy_timeout = 0`.execute(used.db)
  let isOver = false
  let changes = 0
  const work = async () => {
    for (; !isOver; changes++) await buildDriver(used)
  }
  const working = work()
  // On a busy machine, few changes are made while the texts are checked once.
  while (changes <= 10) expect(await found(checkTexts(checked))).toEqual([])
  isOver = true
  await working
  await checked.close()
  await used.close()
  rmSync(folder, { recursive: true })
})

test('the check finds rows that an index of PostgreSQL does not have, where amcheck is installed (reliability 19, 33)', async () => {
  const engine = await openBareEngine('postgres')
  await migrate(engine)
  await sql`create extension amcheck`.execute(engine.db)
  const use = (isReady: boolean) =>
    sql`update pg_index set indisready = ${isReady} where indexrelid = 'coupons_pkey'::regclass`.execute(
      engine.db,
    )
  await use(false)
  await buildCoupon(engine)
  await use(true)
  expect(await found(checkDatabase(engine))).toEqual([
    expect.stringMatching(/lacks matching index tuple within index "coupons_pkey"$/),
  ])
  await sql`reindex index coupons_pkey`.execute(engine.db)
  expect(await found(checkDatabase(engine))).toEqual([])
  await engine.close()
})

test('the check throws the error of a lost connection, which is no damage (reliability 33)', async () => {
  const engine = await openBareEngine('postgres')
  await migrate(engine)
  const other = await engine.db.startTransaction().execute()
  await sql`lock table drivers in access exclusive mode`.execute(other)
  const checking = expect(found(checkDatabase(engine))).rejects.toSatisfy(
    (error) => engine.statusOf(error) === 503,
  )
  const endWaiting = sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`
  await vi.waitUntil(async () => (await endWaiting.execute(engine.db)).rows.length > 0)
  await checking
  await other.rollback().execute()
  await engine.close()
})

test('the check says which privilege its role lacks, which is no damage (reliability 33)', async () => {
  const [place, role] = [await newDatabase(), `checker_${randomUUID().replaceAll('-', '')}`]
  const owner = place.open()
  await migrate(owner)
  const url = new URL(place.env.DATABASE_URL)
  url.searchParams.set('options', `-c role=${role}`)
  const run = (statement: string) => sql.raw(statement).execute(owner.db)
  await run(`create role ${role}`)
  await run('create extension amcheck')
  await run(`grant select on all tables in schema public to ${role}`)
  const checked = openPostgres(url.href)
  for (const [denied, privilege] of [
    ['function bt_index_check', 'execute on function bt_index_check(regclass, boolean)'],
    ['table drivers', 'select on all tables in schema public'],
  ] as const) {
    const findings: Finding[] = []
    for await (const finding of checkDatabase(checked)) findings.push(finding)
    expect(findings).toEqual([
      {
        what: `Not everything could be checked: error: permission denied for ${denied}`,
        todo: `This is no damage. As a superuser, for the role of DATABASE_URL: grant ${privilege} to ROLE`,
      },
    ])
    await run(`grant ${privilege} to ${role}`)
    expect(await found(checkDatabase(checked))).toEqual([])
    await run(`revoke select on drivers from ${role}`)
  }
  await checked.close()
  await run(`drop owned by ${role}`)
  await run(`drop role ${role}`)
  await owner.close()
  await place.remove()
})

test('the check finds pictures that are missing, changed or shown without being stored, and files of none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'oms-check-'))
  const objects = join(folder, 'storage', 'objects')
  mkdirSync(objects, { recursive: true })
  const engine = openSqlite(':memory:')
  await migrate(engine)
  const store = async (name: string) => {
    const bytes = async function* () {
      yield await Promise.resolve(png)
    }
    const limits = { limit: 1e6, now: Date.now() }
    const { token, content } = await storeAtOnce(
      diskStore(folder),
      { name, settings: '', bytes: bytes() },
      limits,
    )
    const file = filesBelow(objects).find((path) => path.endsWith(content)) ?? ''
    return {
      file: join(objects, file),
      address: `/v0/b/oms/o/${encodeURIComponent(name)}?alt=media&token=${token}`,
    }
  }
  const [good, missing, changed] = [await store('files/1'), await store('files/2'), await store('files/3')]
  await buildAttraction(engine, { id: 1, image: good.address })
  expect(await found(checkPictures(engine, diskStore(folder)))).toEqual([])
  rmSync(missing.file)
  writeFileSync(changed.file, Buffer.concat([png, png]))
  await buildAttraction(engine, { id: 2, image: good.address.replace('files%2F1', 'files%2F4') })
  writeFileSync(join(objects, 'broken.json'), '{')
  for (const [file, seconds] of [['old', 0] as const, ['new', Date.now() / 1000] as const]) {
    writeFileSync(join(objects, file), png)
    utimesSync(join(objects, file), seconds, seconds)
  }
  const texts = await found(checkPictures(engine, diskStore(folder)))
  expect(texts.toSorted()).toEqual([
    expect.stringContaining('The picture files/2 is missing or differs'),
    expect.stringContaining('The picture files/3 is missing or differs'),
    expect.stringContaining('The picture of attractions 2 is not stored: /v0/b/oms/o/files%2F4'),
    'objects/broken.json, the record of a picture, is damaged',
    'objects/old belongs to no picture',
  ])

  for await (const { todo } of checkPictures(engine, diskStore(folder)))
    for (const [path] of /^Delete /.test(todo) ? todo.matchAll(/objects\/[\w.-]+/g) : [])
      rmSync(join(folder, 'storage', path))
  expect(await found(checkPictures(engine, diskStore(folder)))).toEqual([
    expect.stringContaining('The picture of attractions 2 is not stored'),
    'objects/old belongs to no picture',
  ])
  const backup = await writeBackup(engine, diskStore(folder), join(folder, 'b'), () => undefined)
  expect(backup).toMatchObject({ manifest: { pictures: 1 }, damaged: [] })
  await engine.close()
  rmSync(folder, { recursive: true })
})

test('the check of data on SQLite never keeps another process from writing (reliability 20)', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'oms-check-'))
  const file = join(folder, 'oms.db')
  const checked = openSqlite(file)
  await migrate(checked)
  await buildDriver(checked, { id: 7 })
  const other = openSqlite(file)
  other.raw.exec('pragma busy_timeout = 0')
  let writes = 0
  // Between the statements of each check, as it does not pause within a transaction.
  const db = checked.db.withPlugin({
    transformQuery: ({ node }) => {
      other.raw.exec('update drivers set online = 1 - online where id = 7')
      writes++
      return node
    },
    transformResult: ({ result }) => Promise.resolve(result),
  })
  for (const check of [checkDatabase, checkNumbers, checkTexts, checkAudit])
    expect(await found(check({ ...checked, db }))).toEqual([])
  expect(writes).toBeGreaterThan(20)
  await other.close()
  await checked.close()
  rmSync(folder, { recursive: true })
})

describe('the programs', () => {
  let installed: Installation
  beforeAll(() => {
    installed = install()
  })
  afterAll(() => installed.remove())

  const told = async (folder: string, programs: string[][]) => {
    const texts: string[] = []
    for (const args of programs) {
      const { code, stdout, stderr } = await installed.run(args, { OMS_DATA: folder })
      expect([args, code]).toEqual([args, 1])
      expect(stdout + stderr).not.toMatch(/\n\s+at /)
      texts.push(stdout + stderr)
    }
    return texts
  }
  const newDatabase = async () => {
    const folder = installed.newFolder()
    const engine = openSqlite(join(folder, 'oms.db'))
    await migrate(engine)
    await engine.close()
    return { folder, file: join(folder, 'oms.db') }
  }
  const all = (folder: string) => [
    ['server/main.ts'],
    ['server/staff.ts', 'list'],
    ['server/check.ts'],
    ['server/backup.ts', join(folder, 'b')],
  ]

  test('name check and restore for a damaged database, and never print a stack (reliability 33)', async () => {
    const { folder, file } = await newDatabase()
    const bytes = readFileSync(file)
    writeFileSync(file, Buffer.concat([Buffer.alloc(100), bytes.subarray(100)]))
    for (const text of await told(folder, all(folder)))
      expect(text).toMatch(
        /^The database in .* is damaged\. To see how far: npm run check\. .*npm run restore -- FILE/,
      )
    writeFileSync(file, Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(bytes.length - 4096, 7)]))
    for (const text of await told(folder, [['server/check.ts']]))
      expect(text).toContain('npm run restore -- FILE')
  })

  test('check only the pages of a database that an older version has written, and say so', async () => {
    const folder = installed.newFolder()
    const engine = openSqlite(join(folder, 'oms.db'))
    await writeOldDatabase(engine)
    const old = `database: nothing is wrong\nNothing else was checked, because an older version of Twende OMS has written ${folder}.`
    for (const text of await told(folder, [['server/check.ts']])) expect(text).toContain(old)
    await migrate(engine)
    expect((await installed.run(['server/check.ts'], { OMS_DATA: folder })).code).toBe(0)
    // As after an update that defines the stored numbers in another way.
    await sql`update meta set value = 'another' where name = 'derived.numbers.hash'`.execute(engine.db)
    await engine.close()
    for (const text of await told(folder, [['server/check.ts']])) expect(text).toContain(old)
  })

  test('refuse a database of a newer version, one that is half restored, and none (reliability 33)', async () => {
    const { folder, file } = await newDatabase()
    const raw = new DatabaseSync(file)
    raw.exec(`insert into kysely_migration values ('9999_later', '2030-01-01')`)
    for (const text of await told(folder, [['server/main.ts'], ['server/backup.ts', join(folder, 'b')]]))
      expect(text).toContain('was written by a newer version of Twende OMS: its schema is 9999_later')
    raw.exec(`delete from kysely_migration where name = '9999_later'`)
    expect((await installed.run(['server/check.ts'], { OMS_DATA: folder })).code).toBe(0)
    raw.exec('create table restore_unfinished (since text)')
    raw.close()
    for (const text of await told(folder, [['server/main.ts'], ['server/check.ts']]))
      expect(text).toContain('was interrupted')
    const none = installed.newFolder()
    for (const text of await told(none, [['server/check.ts'], ['server/backup.ts', join(none, 'b')]]))
      expect(text).toContain('There is no database in')
    const usage = [
      ['server/backup.ts'],
      ['server/backup.ts', folder, '--keep', '0'],
      ['server/restore.ts', '--now'],
      ['server/check.ts', folder],
    ]
    for (const text of await told(none, usage)) expect(text).toMatch(/^Usage:|^--keep is "0"/)
    expect(filesBelow(none)).toEqual([])
  })
})
