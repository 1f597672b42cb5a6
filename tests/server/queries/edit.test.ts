import fc from 'fast-check'
import type { LightMyRequestResponse } from 'fastify'
import { Type } from 'typebox'
import { beforeEach, describe, expect, test } from 'vitest'
import { fold } from '../../../server/fold.ts'
import { Page } from '../../../src/api/contract.ts'
import { engines } from '../../support/engines.ts'
import { buildCustomer, buildStaff } from '../../support/factories.ts'
import { keptNumbers, recount } from '../../support/recount.ts'
import { read, readProblem, signIn, someTime, useServer } from '../../support/server.ts'
import { repeats } from '../../support/soak.ts'
import type { Kind } from '../../support/written-kinds.ts'
import { kinds } from '../../support/written-kinds.ts'

const Stored = Type.Object({ id: Type.Integer(), deleted: Type.Boolean(), version: Type.Integer() })
const twenty = Array.from({ length: 20 }, (_, nth) => nth)

/** Names that cause errors in many systems (reliability 28). */
const names = [
  'فندق الملك عبد الله',
  '‮ شالوم ‬ שלום',
  '🚕🚗🚙 Taxi 👩🏾‍✈️',
  'Zoë Ångström-Ñandú',
  'Z\u0301o\u0308e\u0323 combining',
  '陳大文',
  '100% _real_ \\ "quoted" O’Brien\'s -- x*',
  '  leading, inner  and trailing  ',
  'İstanbul ﬁlip ΟΔΟΣ',
  '<script>alert(1)</script>',
  '=HYPERLINK("x")',
  '{{constructor.constructor("alert(1)")()}}',
  'null',
  '\u200b\u00ad\ufeff',
  '\r\n\t',
]

describe.each(engines)('records that staff edit, on %s', (engineName) => {
  const server = useServer(engineName)
  beforeEach(async () => {
    await buildCustomer(server().engine, {
      id: 11,
      fullname: 'Otieno Odhiambo',
      phone_number: '254722555666',
    })
  })

  const audit = () => server().engine.db.selectFrom('audit').selectAll().orderBy('id').execute()
  const trail = async () => (await audit()).map((row) => `${row.command} ${row.record_id}`)
  const rows = (table: Kind['table']) =>
    server().engine.db.selectFrom(table).selectAll().orderBy('id').execute()
  /** All data that a rejected call could have changed. */
  const state = async (table: Kind['table']) => ({
    rows: await rows(table),
    audit: await audit(),
    keys: await server().engine.db.selectFrom('idempotency').selectAll().execute(),
    kept: await keptNumbers(server().engine.db),
  })

  describe.each(kinds)('$noun', (kind) => {
    const { noun, table, clauses, body, record, changes, wrong } = kind
    const create = (given: object = {}, headers?: Record<string, string>) =>
      server().send(kind.create, { ...body, ...given }, headers)
    const update = (id: number, change: object | string, headers?: Record<string, string>) =>
      server().send(kind.update(id), change, headers)
    const readStored = (answer: LightMyRequestResponse) => {
      read(answer, kind.shape)
      return read(answer, Stored)
    }
    const build = async (given: object = {}) => readStored(await create(given))
    const list = async (query = '') => {
      const answer = await server().get(`${kind.list}?${query}`)
      return read(answer, Page(Stored))
    }
    const find = async (s: string) =>
      (await list(`page_size=1000&s=${encodeURIComponent(s)}`)).results.map(({ id }) => id)
    const fieldsOf = (answer: LightMyRequestResponse) =>
      Object.keys(readProblem(answer, 400).errors ?? {}).toSorted()

    describe('creating', () => {
      test(`replies with the stored record, which is in the list (${clauses.create}; rulings, figures)`, async () => {
        const created = readStored(await create())
        const more = table === 'coupons' ? { created_at: new Date(someTime).toISOString() } : {}
        expect(created).toEqual({ id: created.id, ...record, ...more, deleted: false, version: 1 })
        const { results, count } = await list()
        expect([results, count]).toEqual([[created], 1])
        expect((await rows(table))[0]).toMatchObject({ created_at: someTime, deleted: 0 })
        expect(await keptNumbers(server().engine.db)).toEqual(await recount(server().engine))
      })

      test('puts the newest record first in the list (S3.17)', async () => {
        const ids = [(await build()).id, (await build()).id, (await build()).id]
        expect((await list()).results.map(({ id }) => id)).toEqual(ids.toReversed())
      })

      test('writes one audit row with command, record, all fields, staff member, time and request', async () => {
        const answer = await create()
        expect(await audit()).toEqual([
          {
            id: 1,
            at: someTime,
            staff_id: server().staff.id,
            command: `${noun}.create`,
            noun,
            record_id: readStored(answer).id,
            before: null,
            after: answer.body,
            request: `POST ${kind.create}`,
            request_id: answer.headers['x-request-id'],
          },
        ])
      })

      test('requires every field except the image, and the error names the missing field (S5.2, S5.3; rulings, forms)', async () => {
        const before = await state(table)
        const required = Object.keys(body).filter((field) => !kind.optional.includes(field))
        for (const field of required) {
          const rest = Object.fromEntries(Object.entries(body).filter(([other]) => other !== field))
          const { errors } = readProblem(await server().send(kind.create, rest), 400)
          expect(errors).toEqual({ [field]: ['is required'] })
        }
        expect(fieldsOf(await server().send(kind.create, {}))).toEqual(required.toSorted())
        expect(await state(table)).toEqual(before)
        for (const field of kind.optional)
          expect(await build({ [field]: undefined })).toMatchObject({ image: '' })
      })

      test('rejects the fields deleted and version (reliability 31)', async () => {
        const before = await state(table)
        expect(fieldsOf(await create({ deleted: true }))).toEqual(['deleted'])
        expect(fieldsOf(await create({ version: 7 }))).toEqual(['version'])
        expect(await state(table)).toEqual(before)
      })
    })

    describe('an Idempotency-Key', () => {
      const key = { 'idempotency-key': 'one-intent' }

      test('that is repeated gets the first record and creates no second one (R8; reliability 17)', async () => {
        const first = await create({}, key)
        server().clock.now += 1000
        const again = await create({}, key)
        expect([again.statusCode, again.body, again.headers['idempotency-replayed']]).toEqual([
          200,
          first.body,
          'true',
        ])
        expect(await rows(table)).toHaveLength(1)
        expect(await trail()).toEqual([`${noun}.create ${readStored(first).id}`])
      })

      test('that is repeated gets the first record as it was created, even after a change (reliability 17)', async () => {
        const first = await create({}, key)
        const { id } = readStored(first)
        await update(id, { deleted: true })
        expect((await create({}, key)).body).toBe(first.body)
        expect(await rows(table)).toHaveLength(1)
        expect((await list()).count).toBe(0)
      })

      test('that is reused with another body or for an update gets 422 (reliability 17)', async () => {
        const { id } = readStored(await create({}, key))
        const before = await state(table)
        const [field, { sent }] = Object.entries(changes)[0] ?? ['', { sent: '' }]
        readProblem(await create({ [field]: sent }, key), 422)
        readProblem(await update(id, { [field]: sent }, key), 422)
        expect(await state(table)).toEqual(before)
      })

      test('of twenty concurrent creations makes one record; without keys there are twenty (reliability 17)', async () => {
        const answers = await Promise.all(twenty.map(() => create({}, key)))
        expect(new Set(answers.map((answer) => readStored(answer).id)).size).toBe(1)
        expect(answers.filter(({ headers }) => 'idempotency-replayed' in headers)).toHaveLength(19)
        expect([(await rows(table)).length, (await audit()).length]).toEqual([1, 1])
        const more = await Promise.all(twenty.map(() => create()))
        expect(new Set(more.map((answer) => readStored(answer).id)).size).toBe(20)
        expect([(await rows(table)).length, (await audit()).length]).toEqual([21, 21])
      })

      test('of a rejected body can be used again (reliability 17)', async () => {
        expect(fieldsOf(await create({ [kind.searched]: null }, key))).toEqual([kind.searched])
        const answer = await create({}, key)
        readStored(answer)
        expect(answer.headers).not.toHaveProperty('idempotency-replayed')
      })

      test('that is repeated for an update does not undo a later change (R8)', async () => {
        const { id } = await build()
        const first = await update(id, { deleted: true }, key)
        await update(id, { deleted: false })
        const again = await update(id, { deleted: true }, key)
        expect([again.body, again.headers['idempotency-replayed']]).toEqual([first.body, 'true'])
        expect((await list()).count).toBe(1)
      })
    })

    describe('changing', () => {
      test.each(Object.entries(changes))(
        `a change of %s changes no other field (${clauses.update}; rulings, figures)`,
        async (field, { sent, answered }) => {
          const created = await build()
          const other = await build()
          server().clock.now += 1000
          const changed = readStored(await update(created.id, { [field]: sent }))
          expect(changed).toEqual({ ...created, ...answered, version: 2 })
          expect((await list()).results).toEqual([other, changed])
          const written = (await audit()).at(-1)
          expect(written).toMatchObject({ command: `${noun}.update`, record_id: created.id })
          const fields = Object.fromEntries(Object.entries(created).filter(([name]) => name in answered))
          expect(JSON.parse(written?.before ?? '')).toEqual({ ...fields, version: 1 })
          expect(JSON.parse(written?.after ?? '')).toEqual({ ...answered, version: 2 })
        },
      )

      test(`all fields can be changed together, and the search finds the new texts (${clauses.update})`, async () => {
        const created = await build()
        const sent = Object.fromEntries(
          Object.entries(changes).map(([field, change]) => [field, change.sent]),
        )
        const changed = readStored(await update(created.id, sent))
        for (const [field, { answered }] of Object.entries(changes))
          if (!['location', 'lat', 'lng'].includes(field)) expect(changed).toMatchObject(answered)
        expect(await find(String(sent[kind.searched]).toUpperCase())).toEqual([created.id])
        expect(await find(String(body[kind.searched]))).toEqual([])
        const [row] = await rows(table)
        expect(row).toMatchObject({ created_at: someTime, version: 2 })
      })

      test('an update that changes no value writes nothing: no version, no audit row', async () => {
        const created = await build()
        const before = await state(table)
        expect(readStored(await update(created.id, {}))).toEqual(created)
        expect(readStored(await update(created.id, { version: 1 }))).toEqual(created)
        expect(readStored(await update(created.id, { deleted: false }))).toEqual(created)
        const same = Object.entries(body).filter(([field]) => field in changes)
        for (const change of [
          Object.fromEntries(same),
          ...same.map(([field, value]) => ({ [field]: value })),
        ])
          expect(readStored(await update(created.id, change))).toEqual(created)
        expect(await state(table)).toEqual(before)
      })

      test.each(['4711', '0', '-1', '1.5', 'abc', '9'.repeat(16), '9'.repeat(400), '%00'])(
        'the unknown record %s gets 404 (reliability 27)',
        async (id) => {
          const { id: known } = await build()
          const before = await state(table)
          const url = kind.update(known).replace(`/${known}/`, `/${id}/`)
          readProblem(await server().send(url, { deleted: true }), 404)
          expect(await state(table)).toEqual(before)
        },
      )

      test('works with and without the final slash (S7.1)', async () => {
        const key = { 'idempotency-key': 'one-intent' }
        const { id } = await build()
        await update(id, { deleted: true }, key)
        const again = await server().send(kind.update(id).slice(0, -1), { deleted: true }, key)
        expect([again.statusCode, again.headers['idempotency-replayed']]).toEqual([200, 'true'])
        readStored(await server().send(kind.create.slice(0, -1), body))
      })
    })

    describe('deleting', () => {
      test(`changes no other field, and the record leaves its list (S4.7, ${clauses.delete})`, async () => {
        const created = await build()
        const [before] = await rows(table)
        const deleted = readStored(await update(created.id, { deleted: true }))
        expect(deleted).toEqual({ ...created, deleted: true, version: 2 })
        expect(await rows(table)).toEqual([{ ...before, deleted: 1, version: 2 }])
        expect(await list()).toMatchObject({ results: [], count: 0, total_pages: 0 })
        expect(await find(String(body[kind.searched]))).toEqual([])
        expect((await trail()).at(-1)).toBe(`${noun}.delete ${created.id}`)
        expect(await keptNumbers(server().engine.db)).toEqual(await recount(server().engine))
      })

      test('can be undone by any staff member, and the audit has both changes (R7; S4.7, S6.1)', async () => {
        const { app, engine } = server()
        const created = await build()
        await update(created.id, { deleted: true })
        const colleague = await buildStaff(engine)
        const restored = await update(created.id, { deleted: false }, await signIn(app, colleague))
        expect(readStored(restored)).toEqual({ ...created, version: 3 })
        expect((await list()).results).toEqual([{ ...created, version: 3 }])
        expect((await audit()).map(({ command, staff_id }) => [command, staff_id]).slice(1)).toEqual([
          [`${noun}.delete`, server().staff.id],
          [`${noun}.restore`, colleague.id],
        ])
      })

      test('a second time gets the same reply and changes nothing (S4.7)', async () => {
        const { id } = await build()
        const first = await update(id, { deleted: true })
        const before = await state(table)
        for (let nth = 0; nth < 3; nth++) expect((await update(id, { deleted: true })).body).toBe(first.body)
        expect(await state(table)).toEqual(before)
      })

      test('twenty times concurrently makes one change, and all get the same reply (reliability 16)', async () => {
        const { id } = await build()
        const answers = await Promise.all(twenty.map(() => update(id, { deleted: true })))
        for (const answer of answers) expect(readStored(answer)).toMatchObject({ deleted: true, version: 2 })
        expect(await trail()).toEqual([`${noun}.create ${id}`, `${noun}.delete ${id}`])
        expect(await keptNumbers(server().engine.db)).toEqual(await recount(server().engine))
      })

      test('together with other fields changes these too, and the audit row has all changes', async () => {
        const { id } = await build()
        const sent = changes[kind.searched]?.sent
        await update(id, { [kind.searched]: sent, deleted: false })
        await update(id, { [kind.searched]: body[kind.searched], deleted: true })
        await update(id, { [kind.searched]: sent, deleted: false })
        expect((await trail()).slice(1)).toEqual(
          ['update', 'delete', 'update'].map((verb) => `${noun}.${verb} ${id}`),
        )
        expect(await find(String(sent))).toEqual([id])
      })
    })

    describe('editing at the same time', () => {
      const [field = '', { sent } = { sent: '' }] = Object.entries(changes)[0] ?? []

      test('with an old version gets 409 and changes nothing (reliability 18)', async () => {
        const { id } = await build()
        readStored(await update(id, { [field]: sent, version: 1 }))
        const before = await state(table)
        for (const version of [1, 0, -1, 3, 1e300])
          for (const change of [{ [field]: body[field] }, { deleted: true }, {}])
            readProblem(await update(id, { ...change, version }), 409)
        expect(await state(table)).toEqual(before)
        expect(readStored(await update(id, { [field]: body[field], version: 2 })).version).toBe(3)
      })

      test('without a version keeps the last edit (S7.1; reliability 18)', async () => {
        const { id } = await build()
        await update(id, { [field]: sent })
        expect(readStored(await update(id, { [field]: body[field] }))).toMatchObject({
          ...record,
          version: 3,
        })
      })

      test('twenty times with one version makes one change and replies nineteen times with 409 (reliability 18)', async () => {
        const { id } = await build()
        const answers = await Promise.all(twenty.map(() => update(id, { [field]: sent, version: 1 })))
        const statuses = answers.map(({ statusCode }) => statusCode).toSorted()
        expect(statuses).toEqual([200, ...Array<number>(19).fill(409)])
        expect((await rows(table))[0]).toMatchObject({ version: 2 })
        expect(await trail()).toEqual([`${noun}.create ${id}`, `${noun}.update ${id}`])
      })

      test('of different fields without a version keeps all edits (rulings, figures)', async () => {
        const { id } = await build()
        const edits = Object.entries(changes).filter(([name]) => !['location', 'lat', 'lng'].includes(name))
        await Promise.all(edits.map(([name, change]) => update(id, { [name]: change.sent })))
        const { results } = await list()
        for (const [, { answered }] of edits) expect(results[0]).toMatchObject(answered)
        expect(results[0]?.version).toBe(1 + edits.length)
        for (const [name, change] of edits)
          if (['name', 'title', 'sub_title', 'code'].includes(name))
            expect(await find(String(change.sent)), name).toEqual([id])
      })
    })

    describe('validation', () => {
      const anyWrong = fc.oneof(
        ...Object.entries(wrong).map(([field, values]) => values.map((value) => ({ field, value }))),
      )

      test('rejects any invalid value with an error for its field, and nothing changes (rulings, forms)', async () => {
        const { id } = await build()
        const before = await state(table)
        await fc.assert(
          fc.asyncProperty(anyWrong, async ({ field, value }) => {
            expect(fieldsOf(await create({ [field]: value }))).toEqual([field])
            expect(fieldsOf(await update(id, { [field]: value }))).toEqual([field])
          }),
          { numRuns: repeats(60, 150), seed: 31 },
        )
        expect(await state(table)).toEqual(before)
      })

      test('has errors for all invalid values, except those that are checked against the database (rulings, forms)', async () => {
        const nothing = Object.fromEntries(Object.keys(body).map((field) => [field, []]))
        expect(fieldsOf(await server().send(kind.create, nothing))).toEqual(Object.keys(body).toSorted())
      })

      test('rejects undocumented fields, with an error for each (reliability 31)', async () => {
        const { id } = await build()
        const before = await state(table)
        const known = [...Object.keys(body), 'deleted', 'version']
        const extra = fc.oneof(
          fc.constantFrom(
            'paid',
            'wallet_balance',
            'id',
            'created_at',
            'search',
            'redemeed',
            'users',
            'customer_id',
          ),
          fc.constantFrom(
            'place_name',
            'constructor',
            'toString',
            'hasOwnProperty',
            'prototype',
            'valueOf',
            'then',
          ),
          fc.constantFrom(
            'Deleted',
            'VERSION',
            ' ',
            '',
            'a/b',
            '~1',
            '🚕',
            'a.b',
            'name[]',
            '$where',
            '"',
            'a b',
          ),
          fc.string({ unit: 'grapheme', maxLength: 20 }),
        )
        await fc.assert(
          fc.asyncProperty(
            extra.filter((field) => !known.includes(field) && field !== '__proto__'),
            fc.jsonValue(),
            async (field, value) => {
              fc.pre(!JSON.stringify(value).includes('__proto__'))
              expect(fieldsOf(await create({ [field]: value }))).toEqual([field])
              expect(fieldsOf(await update(id, { [field]: value }))).toEqual([field])
            },
          ),
          { numRuns: repeats(40, 100), seed: 32 },
        )
        expect(await state(table)).toEqual(before)
      })

      test.each([
        '{"__proto__": {"deleted": true}}',
        '{"deleted": true, "__proto__": {"polluted": true}}',
        '{"constructor": {"prototype": {"polluted": true}}}',
        '{"\\u005f_proto__": {"polluted": true}}',
        '{"location": {"__proto__": {"polluted": true}}}',
        '{"amount": NaN}',
        '{"amount": Infinity}',
        '{"deleted": true',
        '[{"deleted": true}]',
        'null',
        'true',
        '"deleted"',
        '',
      ])('rejects the body %s and changes nothing (reliability 31)', async (text) => {
        const { id } = await build()
        const before = await state(table)
        readProblem(await update(id, text), 400)
        readProblem(await server().send(kind.create, text), 400)
        expect(await state(table)).toEqual(before)
        expect({}).not.toHaveProperty('polluted')
      })

      test.each([
        ['deleted', [null, 0, 1, 'true', [], {}]],
        ['version', [null, '1', 1.5, true, [], {}]],
      ] as const)('rejects %s of another type with an error for the field', async (field, values) => {
        const { id } = await build()
        const before = await state(table)
        for (const value of values) expect(fieldsOf(await update(id, { [field]: value }))).toEqual([field])
        expect(await state(table)).toEqual(before)
      })

      test('allows only POST with a token (S6.1)', async () => {
        const { app, headers } = server()
        const { id } = await build()
        const before = await state(table)
        for (const [url, payload] of [
          [kind.create, body],
          [kind.update(id), { deleted: true }],
        ] as const) {
          readProblem(await app.inject({ method: 'POST', url, payload }), 401)
          for (const method of ['PUT', 'PATCH', 'DELETE'] as const)
            expect((await app.inject({ method, url, headers, payload })).statusCode, method).toBe(404)
        }
        expect(await state(table)).toEqual(before)
      })
    })

    describe('texts', () => {
      test.each(Object.entries(kind.longest))(
        '%s may have %i characters of any kind; with one more it is rejected with an error for the field (reliability 28)',
        async (field, longest) => {
          const { id } = await build()
          for (const character of ['x', 'م', '🚕']) {
            const text = character.repeat(longest)
            expect(await build({ [field]: text })).toMatchObject({ [field]: text })
            expect(readStored(await update(id, { [field]: text }))).toMatchObject({ [field]: text })
            expect(fieldsOf(await create({ [field]: `${text}x` }))).toEqual([field])
            expect(fieldsOf(await update(id, { [field]: `${text}x` }))).toEqual([field])
          }
          expect(readStored(await update(id, { [field]: '' }))).toMatchObject({ [field]: '' })
        },
      )

      test.each(names)('%j is stored unchanged and can be found (reliability 9, 28)', async (text) => {
        const fields = Object.fromEntries(Object.keys(kind.longest).map((field) => [field, text]))
        const created = await build(fields)
        expect(created).toMatchObject(fields)
        expect((await list()).results).toEqual([created])
        for (const s of [
          text,
          text.toUpperCase(),
          text.toLowerCase(),
          text.normalize('NFD'),
          text.slice(0, -1),
        ])
          if (fold(s.trim()) && fold(text).includes(fold(s.trim())))
            expect(await find(s)).toEqual([created.id])
      })

      test('a search can end in the middle of a word, in upper or lower case (rulings, lists; reliability 28)', async () => {
        const { id } = await build({ [kind.searched]: 'Πασχάλης Ñandú İstanbul ﬁlip ŽIŽEK' })
        for (const s of [
          'ΠΑΣ',
          'πασ',
          'ΠΑΣΧΑΛΗΣ',
          'πασχαλης',
          'ÑAN',
          'nandu',
          'istan',
          'İS',
          'FIL',
          'žiž',
          'ek',
        ])
          expect(await find(s), s).toEqual([id])
      })

      test('a lone surrogate is stored as the replacement character (reliability 28)', async () => {
        const created = await build({ [kind.searched]: 'a\ud800b' })
        expect(created).toMatchObject({ [kind.searched]: 'a\ufffdb' })
        expect((await list()).results).toEqual([created])
        const changed = readStored(await update(created.id, { [kind.searched]: '🚕\udfffb' }))
        expect(changed).toMatchObject({ [kind.searched]: '🚕\ufffdb', version: 2 })
        expect((await list()).results).toEqual([changed])
        expect(readStored(await update(created.id, { [kind.searched]: '🚕\udfffb' }))).toEqual(changed)
      })

      test('any text is stored unchanged and found by any part of it (reliability 28)', async () => {
        const longest = kind.longest[kind.searched] ?? 0
        const text = fc
          .string({ unit: 'binary', maxLength: longest, size: 'max' })
          .filter((value) => !value.includes('\0'))
        await fc.assert(
          fc.asyncProperty(text, fc.nat(), fc.integer({ min: 1, max: 200 }), async (value, from, length) => {
            const created = await build({ [kind.searched]: value })
            expect(created).toMatchObject({ [kind.searched]: value })
            const characters = [...value]
            const start = from % (characters.length + 1)
            const part = characters.slice(start, start + length).join('')
            if (fold(value).includes(fold(part.trim()))) expect(await find(part)).toContain(created.id)
          }),
          { numRuns: repeats(15, 40), seed: 28 },
        )
      })
    })
  })

  describe.each(kinds.filter(({ images }) => images))('the image of $noun', (kind) => {
    const create = async (image: unknown) => server().send(kind.create, { ...kind.body, image })

    test.each([
      'https://files.test/a.jpg',
      'https://firebasestorage.googleapis.com/v0/b/oms/o/files%2Fa.png?alt=media&token=t',
      'https://files.test/v0/b/another/o/files%2Fa.png?alt=media&token=t',
      '/v0/b/oms/o/files%2Fa.png?alt=media&token=t',
      'HTTPS://FILES.TEST/A.JPG',
      '/files/a.png',
      '/demo/pictures/a.svg?x=1#y',
      '',
    ])('%j is stored unchanged (S3.11, S3.12, S7.37)', async (image) => {
      expect(read(await create(image), kind.shape)).toMatchObject({ image })
    })

    test.each(['http://localhost:4321', 'https://ops.twende.test', 'http://[::1]:80'])(
      'an address in our own storage is stored without its host %s (S7.37)',
      async (host) => {
        const path = '/v0/b/oms/o/files%2FFr%C3%A4nzi.png?alt=media&token=t'
        expect(read(await create(host + path), kind.shape)).toMatchObject({ image: path })
      },
    )

    test('the image is kept if the update does not contain it (S7.20, S7.27)', async () => {
      const { id } = read(await create('/files/a.png'), Stored)
      const answer = await server().send(kind.update(id), { [kind.searched]: 'Another name' })
      expect(read(answer, kind.shape)).toMatchObject({ image: '/files/a.png' })
    })
  })

  describe.each(kinds.filter(({ money }) => money))('the amount and date of $noun', (kind) => {
    const create = async (given: object) => server().send(kind.create, { ...kind.body, ...given })
    const Amount = Type.Object({ amount: Type.Number() })

    test.each([
      0, 0.01, 0.07, 0.1, 0.29, 0.57, 1.1, 4.35, 8.2, 19.99, 1.15, 64.1, 1234567.89, 99_999_999.99, 1e8,
    ])('%d is stored exactly (S3.13, S3.14)', async (amount) => {
      expect(read(await create({ amount }), Amount).amount).toBe(amount)
    })

    test('any number of cents is stored and returned unchanged (S3.13, S3.14)', async () => {
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 0, max: 10_000_000_000 }), async (cents) => {
          const amount = cents / 100
          expect(read(await create({ amount }), Amount).amount).toBe(amount)
        }),
        { numRuns: repeats(40, 150), seed: 29 },
      )
    })

    test('an amount can be written in several ways', async () => {
      for (const [text, amount] of [
        ['1.10', 1.1],
        ['1e2', 100],
        ['-0', 0],
        ['-0.0', 0],
        ['0.2900000', 0.29],
      ] as const) {
        const body = JSON.stringify({ ...kind.body, amount: '?' }).replace('"?"', text)
        expect(read(await server().send(kind.create, body), Amount).amount).toBe(amount)
      }
    })

    test.each(['2026-02-28', '2028-02-29', '2026-12-31', '1970-01-02', '9999-12-31'])(
      'the date %s is stored unchanged (S5.3; rulings, numbers)',
      async (valid_till) => {
        expect(read(await create({ valid_till }), kind.shape)).toMatchObject({ valid_till })
      },
    )

    test.each(['0026-12-31', '0000-01-01', '1970-01-01'])(
      'the date %s, which the console would show as none, is refused (S5.3; rulings, forms)',
      async (valid_till) => {
        const { id } = read(await create({}), Type.Object({ id: Type.Number() }))
        const wrong = { errors: { valid_till: ['is not after 1970-01-01'] } }
        expect((await create({ valid_till })).json()).toMatchObject(wrong)
        expect((await server().send(kind.update(id), { valid_till })).json()).toMatchObject(wrong)
      },
    )

    test('a value of another form is refused in words that staff can read in the form, once (rulings, forms)', async () => {
      const refused = async (overrides: object) => readProblem(await create(overrides), 400).errors
      expect(await refused({ valid_till: '20271-12-12' })).toEqual({ valid_till: ['has a wrong format'] })
      expect(await refused({ valid_till: 5 })).toEqual({ valid_till: ['must be string'] })
      expect(await refused({ code: 'a\u0000b' })).toEqual({ code: ['has a wrong format'] })
      expect(await refused({ amount: null })).toEqual({ amount: ['must be number'] })
    })

    test.each([null, ''])('%j means no expiry date (S5.3)', async (valid_till) => {
      expect(read(await create({ valid_till }), kind.shape)).toMatchObject({ valid_till: null })
    })
  })
})
