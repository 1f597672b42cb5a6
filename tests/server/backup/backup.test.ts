import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadBackup } from '../../../server/backup/load.ts'
import { targetOf } from '../../../server/backup/target.ts'
import { verifyBackup } from '../../../server/backup/verify.ts'
import { writeBackup } from '../../../server/backup/write.ts'
import type { Engine } from '../../../server/db/engine.ts'
import { knownMigrations, migrate, migrateTables } from '../../../server/db/migrate.ts'
import { openSqlite } from '../../../server/db/sqlite.ts'
import { OperatorError } from '../../../server/operator-error.ts'
import { resourceOf } from '../../../server/storage/names.ts'
import { diskStore } from '../../../server/storage/disk.ts'
import { contentKey, findObject, recordKey } from '../../../server/storage/objects.ts'
import { storeAtOnce } from '../../../server/storage/uploads.ts'
import { contentsOf, engines, openBareEngine } from '../../support/engines.ts'
import { buildAttraction, buildDriver } from '../../support/factories.ts'
import { writeOldDatabase } from '../../support/old-database.ts'
import { keptNumbers, recount } from '../../support/recount.ts'
import { repeats } from '../../support/soak.ts'
import { filesBelow, png } from '../../support/storage.ts'

const quiet = () => undefined

let root = ''
let serial = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'oms-backup-'))
})
afterAll(() => rmSync(root, { recursive: true }))
const newPath = () => join(root, String(++serial))

const store = async (folder: string, name: string, bytes: Buffer) => {
  const options = { limit: 1e6, now: 1_795_154_520_000 }
  const object = await storeAtOnce(diskStore(folder), { name, settings: '', bytes: chunks(bytes) }, options)
  return `/v0/b/oms/o/${encodeURIComponent(name)}?alt=media&token=${resourceOf(object).downloadTokens}`
}
async function* chunks(bytes: Buffer) {
  yield await Promise.resolve(bytes)
}

/** What a restore has to bring back: all rows but those of sessions and of what is computed again. */
async function contents(engine: Engine) {
  const { sessions, login_attempts, meta = [], ...others } = await contentsOf(engine)
  const computed = ['counters', 'daily', 'hourly', 'id_buckets']
  const rows = Object.fromEntries(Object.entries(others).filter(([table]) => !computed.includes(table)))
  const kept = meta.filter(({ name }) => !String(name).startsWith('derived.'))
  return {
    rows: { ...rows, meta: kept },
    numbers: await keptNumbers(engine.db),
    left: { sessions, login_attempts },
  }
}

/** Restores into a new database, and closes it when `look` has ended. */
async function restored<Result>(
  name: (typeof engines)[number],
  folder: string,
  file: string,
  look: (engine: Engine) => Promise<Result>,
): Promise<Result> {
  const engine = await openBareEngine(name)
  try {
    await loadBackup(engine, diskStore(folder), file, await verifyBackup(file, quiet), quiet)
    return await look(engine)
  } finally {
    await engine.close()
  }
}

describe.each(engines)('a backup of a database on %s', (name) => {
  test('restores rows, numbers and pictures on both engines, and ends all sessions (reliability 33)', async () => {
    const [engine, folder, file] = [await openBareEngine(name), newPath(), newPath()]
    await writeOldDatabase(engine)
    await migrate(engine)
    const name200 = `${'𝒳'.repeat(50)} "quoted" \\ \u2028 ${'e\u0301'.repeat(9)}\r\n\t\u0001`
    const driver = await buildDriver(engine, {
      id: 70_000,
      fullname: name200,
      wallet_balance: -9_007_199_254_740_991,
    })
    const bytes = png(300_000)
    const image = await store(folder, 'files/Ünï 1.png', bytes)
    await store(folder, 'uploads/unused.png', png(20))
    await buildAttraction(engine, { image, lat: -1.2345678901234567, lng: 5e-324 })
    expect(await writeBackup(engine, diskStore(folder), file, quiet)).toMatchObject({
      manifest: { engine: name, schema: knownMigrations.at(-1), pictures: 2 },
      missing: [],
    })
    const before = await contents(engine)
    expect(before.left.sessions).not.toEqual([])
    for (const target of engines) {
      const place = newPath()
      await restored(target, place, file, async (copy) => {
        const after = await contents(copy)
        expect(after).toEqual({ ...before, left: { sessions: [], login_attempts: [] } })
        expect(after.numbers).toEqual(await recount(copy))
        expect((await buildDriver(copy)).id).toBe(driver.id + 1)
        const found = copy.db
          .selectFrom('drivers')
          .select('id')
          .where(copy.contains('drivers', 'search', ['quoted']))
        expect(await found.execute()).toEqual([{ id: driver.id }])
      })
      expect(filesBelow(place)).toEqual(filesBelow(folder))
      for (const path of filesBelow(folder))
        expect(readFileSync(join(place, path)).equals(readFileSync(join(folder, path))), path).toBe(true)
    }
    await engine.close()
  })

  const released = knownMigrations.slice(1, -1)
  // PostgreSQL takes two seconds for each. The statements are the same but for the types of columns.
  const sample = name === 'sqlite' ? released : released.filter((_, nth) => nth === 0 || repeats(0, 1) === 1)
  test.each(sample)(
    'of schema %s is restored and upgraded, as that database itself is upgraded (reliability 33)',
    async (migration) => {
      const [engine, file] = [await openBareEngine(name), newPath()]
      await writeOldDatabase(engine)
      await migrateTables(engine, migration)
      const { manifest } = await writeBackup(engine, diskStore(newPath()), file, quiet)
      expect(manifest.schema).toBe(migration)
      await migrate(engine)
      const { rows, numbers } = await contents(engine)
      expect(await restored(name, newPath(), file, contents)).toMatchObject({ rows, numbers })
      expect(numbers).toEqual(await recount(engine))
      await engine.close()
    },
  )
})

describe('a backup that is not complete', () => {
  let file = ''
  let whole = Buffer.alloc(0)
  beforeAll(async () => {
    const engine = await openBareEngine('sqlite')
    await writeOldDatabase(engine)
    await migrate(engine)
    const folder = newPath()
    await store(folder, 'files/1.png', png(20_000))
    file = newPath()
    await writeBackup(engine, diskStore(folder), file, quiet)
    await engine.close()
    whole = gunzipSync(readFileSync(file))
  })
  const changed = (from: string | RegExp, to: string) =>
    gzipSync(Buffer.from(whole.toString('latin1').replace(from, to), 'latin1'))
  const flipped = (share: number) => {
    const bytes = Buffer.from(readFileSync(file))
    const at = Math.floor(bytes.length * share)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    return bytes
  }
  const damages: [what: string, bytes: () => Buffer, told: string][] = [
    ['is no archive', () => Buffer.from('a text'), 'is not a complete backup'],
    ['is another archive', () => gzipSync(Buffer.alloc(4096)), 'It has no manifest'],
    ['is empty', () => Buffer.alloc(0), 'is not a complete backup'],
    ['was cut off at its end', () => readFileSync(file).subarray(0, -1), 'is not a complete backup'],
    ['has a manifest that is no JSON', () => changed('"product"', '"product'), 'manifest is invalid'],
    ['lost its manifest', () => gzipSync(whole.subarray(0, whole.indexOf('manifest.json'))), 'is incomplete'],
    ...[0.01, 0.3, 0.6, 0.99].map((share): (typeof damages)[number] => [
      `has another bit at ${share * 100}%`,
      () => flipped(share),
      'is not a complete backup',
    ]),
    [
      'has another character in a row',
      () => changed('Amina Yusuf', 'Amina Yusuk'),
      'differs from the manifest',
    ],
    ['has another number of rows', () => changed(/"drivers": \d/, '"drivers": 9'), 'rows of drivers'],
    ['has another product', () => changed('Twende OMS', 'Twende OMT'), 'manifest is invalid'],
    [
      'has a newer format',
      () => changed('"format": 1', '"format": 2'),
      'written by a newer version of Twende OMS',
    ],
    [
      'has a newer schema',
      () => changed('"schema": "00', '"schema": "09'),
      'written by a newer version of Twende OMS',
    ],
  ]

  test('is refused with a sentence that says why, and is not complete only because of that (reliability 33)', async () => {
    const other = newPath()
    for (const [what, bytes, told] of damages) {
      writeFileSync(other, bytes())
      await expect(verifyBackup(other, quiet), what).rejects.toThrow(told)
    }
    writeFileSync(other, gzipSync(whole))
    expect(await verifyBackup(other, quiet)).toMatchObject({ pictures: 1 })
    await expect(verifyBackup(`${other}.not`, quiet)).rejects.toThrow('There is no backup')
  })
})

test('a backup that fails leaves the earlier one as it was (reliability 33)', async () => {
  const file = newPath()
  writeFileSync(file, 'earlier')
  const engine = await openBareEngine('sqlite')
  await writeOldDatabase(engine)
  await migrate(engine)
  const fail = () => {
    throw new Error('stopped')
  }
  await expect(writeBackup(engine, diskStore(newPath()), file, fail)).rejects.toThrow('stopped')
  expect(readFileSync(file, 'utf8')).toBe('earlier')
  await writeBackup(engine, diskStore(newPath()), file, quiet)
  expect(await verifyBackup(file, quiet)).toMatchObject({ pictures: 0 })
  await engine.close()
})

test('a picture that is deleted while a backup is written is not missing in it (reliability 33)', async () => {
  const [folder, file] = [newPath(), newPath()]
  const path = newPath()
  const [engine, staffAtWork] = [openSqlite(path), openSqlite(path)]
  await migrate(engine)
  const dangling = '/v0/b/oms/o/files%2Fgone.png?alt=media&token=t'
  await buildAttraction(engine, { id: 1, image: await store(folder, 'files/old.png', png(20)) })
  await buildAttraction(engine, { id: 2, image: dangling })
  const image = await store(folder, 'files/new.png', png(30))
  let isDeleted = false
  const { missing, manifest } = await writeBackup(engine, diskStore(folder), file, (_done, _total, what) => {
    if (what !== 'attractions' || isDeleted) return
    isDeleted = true
    staffAtWork.raw.exec(`update attractions set image = '${image}' where id = 1`)
    rmSync(join(folder, 'storage', recordKey('files/old.png')))
  })
  expect({ missing, pictures: manifest.pictures }).toEqual({ missing: [dangling], pictures: 1 })
  const images = await restored('sqlite', newPath(), file, (copy) =>
    copy.db.selectFrom('attractions').select('image').orderBy('id').execute(),
  )
  expect(images.map((row) => row.image)).toEqual([image, dangling])
  expect(existsSync(`${file}.part`)).toBe(false)
  await engine.close()
  await staffAtWork.close()
})

test('a backup has every row beside damaged pictures, names these, and can be restored (reliability 33)', async () => {
  const [engine, folder, file] = [await openBareEngine('sqlite'), newPath(), newPath()]
  await migrate(engine)
  const image = await store(folder, 'files/cut.png', png(3000))
  await buildAttraction(engine, { id: 1, image })
  for (const name of ['record', 'gone', 'changed', 'whole'])
    await store(folder, `files/${name}.png`, png(name.length * 1000))
  const fileOf = async (name: string) => {
    const object = await findObject(diskStore(folder), name)
    return join(folder, 'storage', contentKey(name, object?.content ?? ''))
  }
  truncateSync(await fileOf('files/cut.png'), 2999)
  rmSync(await fileOf('files/gone.png'))
  writeFileSync(await fileOf('files/changed.png'), Buffer.alloc(7000))
  writeFileSync(join(folder, 'storage', recordKey('files/record.png')), '{')

  const { manifest, missing, damaged } = await writeBackup(engine, diskStore(folder), file, quiet)
  expect({ pictures: manifest.pictures, attractions: manifest.tables['attractions'], missing }).toEqual({
    ...{ pictures: 2, attractions: 1, missing: [image] },
  })
  expect(damaged.toSorted()).toEqual([
    `A picture is not in the backup: ${recordKey('files/record.png')}, a record of the storage, is damaged. To find out what else is damaged: npm run check`,
    'The picture files/changed.png differs from its checksum. It is in the backup as it is.',
    ...['cut', 'gone'].map(
      (name) =>
        `The picture files/${name}.png is not in the backup: its file is missing or has another size than its record says.`,
    ),
  ])
  const place = newPath()
  const images = await restored('sqlite', place, file, (copy) =>
    copy.db.selectFrom('attractions').select('image').execute(),
  )
  expect(images).toEqual([{ image }])
  expect(filesBelow(place)).toHaveLength(4)
  for (const path of filesBelow(place))
    expect(readFileSync(join(place, path)).equals(readFileSync(join(folder, path))), path).toBe(true)
  await engine.close()
})

test('a path that ends like a folder is no file of a backup', () => {
  const folder = newPath()
  expect(targetOf(folder, 0)).toEqual({ file: folder, folder: null })
  expect(() => targetOf(`${folder}/`, 0)).toThrow(`There is no folder ${folder}.`)
  mkdirSync(folder)
  expect(targetOf(`${folder}/`, 0)).toEqual({ file: join(folder, 'oms-1970-01-01T00-00-00Z.tar.gz'), folder })
})

test('a backup into no folder, and a restore of a folder, are refused with a sentence (reliability 33)', async () => {
  const folder = newPath()
  expect(() => targetOf(join(folder, 'oms.tar.gz'), 0)).toThrow(
    new OperatorError(`There is no folder ${folder}. Is its disk mounted?`),
  )
  mkdirSync(folder)
  expect(targetOf(join(folder, 'oms.tar.gz'), 0).file).toBe(join(folder, 'oms.tar.gz'))
  await expect(verifyBackup(folder, quiet)).rejects.toThrow(
    new OperatorError(`${folder} is a folder. Name one of the backups in it.`),
  )
  const file = join(folder, 'file')
  writeFileSync(file, '')
  expect(() => targetOf(join(file, 'sub', 'oms.tar.gz'), 0)).toThrow(OperatorError)
})
