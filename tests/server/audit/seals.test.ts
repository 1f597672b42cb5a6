import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { recordEvent } from '../../../server/audit/events.ts'
import { sealAudit, tokenOf } from '../../../server/audit/seals.ts'
import { verifyAudit } from '../../../server/audit/verify.ts'
import type { Engine } from '../../../server/db/engine.ts'
import { keepHouse } from '../../../server/housekeeping.ts'
import { engines } from '../../support/engines.ts'
import { buildDriver } from '../../support/factories.ts'
import { useServer } from '../../support/server.ts'

describe.each(engines)('the seals of the audit on %s', (name) => {
  const server = useServer(name)
  const seals = ({ db }: Engine) => db.selectFrom('audit_seals').selectAll().orderBy('id').execute()
  /** Four changes and, with the login, 2,503 events in four seals; then three events in a fifth one. */
  const prepare = async () => {
    const { engine, post, clock } = server()
    await buildDriver(engine, { id: 1, online: 1 })
    for (let nth = 0; nth < 4; nth++) await post(`/api/v1/oms/driver/1/${nth % 2 ? 'unfreeze' : 'suspend'}/`)
    const event = { at: clock.now, event: 'list.export', about: 'drivers', n: 1 }
    for (let nth = 0; nth < 5; nth++)
      await engine.db
        .insertInto('audit_events')
        .values(Array.from({ length: 500 }, () => event))
        .execute()
    await recordEvent(engine.db, { ...event, about: 'kamau “x”\n', origin: '10.1.2.3' })
    await recordEvent(engine.db, event)
    await sealAudit(engine, clock.now)
    for (let nth = 0; nth < 3; nth++) await recordEvent(engine.db, event)
    await sealAudit(engine, clock.now)
    return engine
  }

  test('cover every row once, in one chain, and follow no new row by nothing', async () => {
    const engine = await prepare()
    const all = await seals(engine)
    expect(all.map(({ rows_of, first_id, last_id, n }) => [rows_of, first_id, last_id, n])).toEqual([
      ['audit', 1, 4, 4],
      ['audit_events', 1, 1000, 1000],
      ['audit_events', 1001, 2000, 1000],
      ['audit_events', 2001, 2503, 503],
      ['audit_events', 2504, 2506, 3],
    ])
    expect(all.map(({ previous }) => previous)).toEqual(['', ...all.slice(0, -1).map(({ hash }) => hash)])
    expect(await sealAudit(engine, 0)).toBeNull()
    expect(await verifyAudit(engine)).toEqual({ findings: [], rows: 2510, newest: all.at(-1) })
  })

  test('show each change, insertion and deletion of a sealed row or a seal', async () => {
    const engine = await prepare()
    const kept = (await seals(engine)).map(tokenOf)
    const tampered: [string, string[], (string | undefined)?][] = [
      [
        `update audit set after = '{}' where id = 3`,
        ['audit, rows 1 to 4: a row was changed, or their seal 1.'],
      ],
      [
        `update audit_events set n = 2 where id = 1700`,
        ['audit_events, rows 1001 to 2000: a row was changed, or their seal 3.'],
      ],
      [`delete from audit_events where id in (5, 6)`, ['audit_events, rows 1 to 1000: 2 of 1000 missing.']],
      [
        `update audit_events set id = -5 where id = 7`,
        ['audit_events, rows 1 to 1000: 1 of 1000 missing.', 'audit_events: 1 with an id below 1.'],
      ],
      [
        `update audit_seals set at = at + 1 where id = 2`,
        ['audit_events, rows 1 to 1000: a row was changed, or their seal 2.'],
      ],
      [
        `update audit_seals set hash = '${'0'.repeat(64)}' where id = 4`,
        [
          'audit_events, rows 2001 to 2503: a row was changed, or their seal 4.',
          'Seal 5 does not follow from seal 4: one of them was changed.',
        ],
      ],
      [`delete from audit_seals where id = 3`, ['Seal 3 is missing.']],
      [`delete from audit_seals where id < 3`, ['Seals 1 to 2 are missing.']],
      [`delete from audit_seals where id = 5`, ['Seal 5, which was kept, is missing.'], kept[4]],
      [
        `update audit set id = id`,
        ['Seal 1 is not the one that was kept: ' + (kept[0] ?? '').slice(2) + '.'],
        `1:${'0'.repeat(64)}`,
      ],
      [`update audit set id = id`, [], kept[2]],
    ]
    for (const [statement, findings, seal] of tampered) {
      const trx = await engine.db.startTransaction().execute()
      await sql.raw(statement).execute(trx)
      expect((await verifyAudit({ ...engine, reading: trx }, seal)).findings, statement).toEqual(findings)
      await trx.rollback().execute()
    }
    expect((await verifyAudit(engine, kept[4])).findings).toEqual([])
  })

  test('show a row that was inserted where the ids have a gap', async () => {
    const { engine, clock } = server()
    const event = { at: clock.now, event: 'list.export', n: 1 }
    await engine.db
      .insertInto('audit_events')
      .values([{ ...event, id: 10 }])
      .execute()
    await sealAudit(engine, clock.now)
    await engine.db
      .insertInto('audit_events')
      .values([{ ...event, id: 5 }])
      .execute()
    expect((await verifyAudit(engine)).findings).toEqual([
      'audit_events, rows 1 to 10: 1 more than the 2 that were sealed.',
    ])
  })
})

describe('several servers on PostgreSQL', () => {
  const server = useServer('postgres')

  test('wait for a row with a lower id that is not stored yet, and make one chain of seals', async () => {
    const { engine, clock } = server()
    const event = { at: clock.now, event: 'list.export' }
    const trx = await engine.db.startTransaction().execute()
    await recordEvent(trx, event)
    await recordEvent(engine.db, event)
    const sealing = sealAudit(engine, clock.now)
    for (let waiting = 0; waiting === 0;) {
      const { rows } = await sql`select 1 from pg_locks where not granted`.execute(engine.db)
      waiting = rows.length
    }
    expect(await sealAudit(engine, clock.now)).toBeNull()
    await trx.commit().execute()
    expect(await sealing).toMatchObject({ id: 1, first_id: 1, last_id: 3, n: 3 })
    expect((await verifyAudit(engine)).findings).toEqual([])
  })

  test('do not clean up at the same time', async () => {
    const { engine, clock } = server()
    const other = await engine.db.startTransaction().execute()
    expect(await engine.tryLock(other, 'cleanup')).toBe(true)
    clock.now += 8 * 24 * 60 * 60_000
    await keepHouse(engine, '/nonexistent', clock.now)
    expect(await engine.db.selectFrom('sessions').select('staff_id').execute()).toHaveLength(1)
    await other.rollback().execute()
    await keepHouse(engine, '/nonexistent', clock.now)
    expect(await engine.db.selectFrom('sessions').select('staff_id').execute()).toEqual([])
  })
})
