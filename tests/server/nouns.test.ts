import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../server/db/engine.ts'
import { nouns } from '../../server/nouns.ts'
import { Capabilities } from '../../src/api/contract.ts'
import { engines, openTestEngine } from '../support/engines.ts'
import { lists } from '../support/lists.ts'
import { schemaOf } from '../support/schema.ts'
import { read, useServer } from '../support/server.ts'

describe('the declarations of nouns', () => {
  test.each([
    ['name', nouns.map(({ name }) => name)],
    ['plural', nouns.map(({ plural }) => plural)],
    ['table', nouns.map(({ table }) => table)],
    ['list path', nouns.map(({ list }) => list.path)],
    ['counters', nouns.flatMap(({ counters }) => Object.keys(counters))],
  ])('no two nouns share a %s', (_what, values) => {
    expect(values).toEqual([...new Set(values)])
  })

  test('every list of section 7 is the list of a noun, and every noun has a list', () => {
    const paths = nouns.map(({ list }) => `/api/v1/oms/${list.path}`)
    expect(paths.toSorted()).toEqual([...lists.map(({ path }) => path), '/api/v1/oms/drivers/'].toSorted())
  })

  test('the nouns that staff edit, and no others, leave their list when they are deleted (S4.7)', () => {
    const deleted = nouns.filter(({ softDeleted }) => softDeleted).map(({ name }) => name)
    expect(deleted.toSorted()).toEqual(['attraction', 'blog', 'coupon', 'promo'])
    expect(nouns.filter(({ edit }) => edit).map(({ name }) => name)).toEqual(deleted)
  })
})

describe.each(engines)('the tables of nouns on %s', (name) => {
  let engine: Engine
  let columns: Map<string, string[]>
  beforeAll(async () => {
    engine = await openTestEngine(name)
    const tables = await engine.db.introspection.getTables()
    columns = new Map(tables.map((table) => [table.name, table.columns.map((column) => column.name)]))
  })
  afterAll(() => engine.close())

  test.each(nouns)('$table has the columns that its declaration needs', (noun) => {
    const changes = noun.edit !== null || noun.actions.length > 0
    const needed = [
      ...['id', ...noun.searched, ...(changes ? ['version'] : [])],
      ...(noun.softDeleted ? ['created_at', 'deleted', 'search'] : []),
    ]
    expect(columns.get(noun.table)).toEqual(expect.arrayContaining(needed))
    for (const { of, columns: totals } of noun.totals)
      expect(columns.get(of)).toEqual(expect.arrayContaining(Object.keys(totals)))
  })

  test('every table is counted by triggers, and searched ones have trigram indexes', async () => {
    const schema = (await schemaOf(engine)).join('\n')
    for (const { table, searched } of nouns) {
      expect(schema).toContain(`${table}_kept_insert`)
      if (searched.length > 0) expect(schema).toMatch(new RegExp(`${table}_(\\w+_)?trigrams`))
    }
  })
})

describe('the capabilities', () => {
  const server = useServer('sqlite')

  test('name every noun by its plural, with the fields that order its list (S7.39)', async () => {
    const { ordering } = read(await server().get('/api/v1/oms/capabilities/'), Capabilities)
    expect(Object.entries(ordering)).toEqual(nouns.map(({ plural, list }) => [plural, list.orderings]))
  })
})
