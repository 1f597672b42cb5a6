import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { fold } from '../../../server/fold.ts'
import { Driver, Page } from '../../../src/api/contract.ts'
import { engines } from '../../support/engines.ts'
import { buildDriver } from '../../support/factories.ts'
import { read, readProblem, useServer } from '../../support/server.ts'
import { repeats } from '../../support/soak.ts'

const names = [
  'Wanjiku Kamau',
  'WANJIKU Njoroge',
  'Zoë Ångström',
  'Peter de Wañjikü',
  '100% Legit',
  '100 percent',
  'snake_case',
  'snakeXcase',
  'back\\slash',
  'Double "Quote" Name',
  "O'Brien -- Ltd",
  'a" OR "b',
  'search : NEAR(x*)',
  'Łukasz ﬁlip',
  'İstanbul',
  '🚕🚗 Taxi 🚕🚗🚙',
  'محمد عبد الله',
  '陳大文',
  'Two  Spaces',
]

const plain = (text: string) => text.replaceAll("'", '').replaceAll('-', ' ')

const phones = {
  amina: '254712345678',
  brian: '254112345678',
  chris: '254733000111',
  dora: '0712999888',
  eve: '+447700900123',
  faith: '447254000000',
  grace: '+254722000333',
}

describe.each(engines)('searching drivers on %s', (name) => {
  const server = useServer(name, { scope: 'suite' })

  const find = async (query: Record<string, string>) => {
    const parameters = new URLSearchParams({ ...query, page_size: '1000' }).toString()
    const page = read(await server().get(`/api/v1/oms/drivers/?${parameters}`), Page(Driver))
    expect(page.count).toBe(page.results.length)
    return page.results.map(({ user }) => user.fullname)
  }

  describe('by name', () => {
    beforeAll(async () => {
      for (const fullname of names) await buildDriver(server().engine, { fullname })
    })

    test.each([
      ['wanjiku', ['Peter de Wañjikü', 'WANJIKU Njoroge', 'Wanjiku Kamau']],
      ['WaNjIkÚ', ['Peter de Wañjikü', 'WANJIKU Njoroge', 'Wanjiku Kamau']],
      ['anj', ['Peter de Wañjikü', 'WANJIKU Njoroge', 'Wanjiku Kamau']],
      ['zoe angstrom', ['Zoë Ångström']],
      ['kamau wanjiku', ['Wanjiku Kamau']],
      ['jik mau', ['Wanjiku Kamau']],
      ['kamau wanjala', []],
      ['  kamau  ', ['Wanjiku Kamau']],
      ['o  spa', ['Two  Spaces']],
      ['wo spa', ['Two  Spaces']],
      ['obrien', ["O'Brien -- Ltd"]],
      ['o’brien ltd', ["O'Brien -- Ltd"]],
      ['--', ["O'Brien -- Ltd"]],
      ['filip', ['Łukasz ﬁlip']],
      ['istanbul', ['İstanbul']],
      ['عبد', ['محمد عبد الله']],
      ['大', ['陳大文']],
      ['大文', ['陳大文']],
      ['陳大文', ['陳大文']],
      ['🚕', ['🚕🚗 Taxi 🚕🚗🚙']],
      ['🚕🚗🚙', ['🚕🚗 Taxi 🚕🚗🚙']],
      ['🚙🚗🚕', []],
    ])(
      'each word of “%s” is found anywhere in a name, regardless of case and accents (S7.3)',
      async (s, expected) => {
        expect(await find({ s })).toEqual(expected)
      },
    )

    test.each([
      ['%', ['100% Legit']],
      ['0%', ['100% Legit']],
      ['00%', ['100% Legit']],
      ['0% leg', ['100% Legit']],
      ['_', ['snake_case']],
      ['e_c', ['snake_case']],
      ['\\', ['back\\slash']],
      ['k\\s', ['back\\slash']],
      ['\\slash', ['back\\slash']],
      ['"', ['a" OR "b', 'Double "Quote" Name']],
      ['"quote"', ['Double "Quote" Name']],
      ['a" OR "b', ['a" OR "b']],
      ["'", ["O'Brien -- Ltd"]],
      ["o'brien --", ["O'Brien -- Ltd"]],
      ['near(x*)', ['search : NEAR(x*)']],
      ['search : ', ['search : NEAR(x*)']],
      ['x*)', ['search : NEAR(x*)']],
      ['sna*', []],
      ['s%e', []],
      ["'; drop table drivers", []],
    ])('%s is searched as plain text (rulings, lists; reliability 27)', async (s, expected) => {
      expect(await find({ s })).toEqual(expected)
    })

    test('a blank search finds all drivers', async () => {
      expect(await find({ s: '' })).toEqual(names.toReversed())
      expect(await find({ s: '   ' })).toEqual(names.toReversed())
    })

    test('any part of a name, or its words in any order, finds exactly the drivers whose names contain them (S7.3)', async () => {
      const character = fc.constantFrom(...Array.from('aAáÁbB %_\\"\'*-:^é🚕'))
      const text = fc.string({ unit: character, minLength: 1, maxLength: 10 })
      const more = fc.sample(fc.string({ unit: character, minLength: 1, maxLength: 12 }), {
        numRuns: 150,
        seed: 27,
      })
      for (const fullname of more) await buildDriver(server().engine, { fullname })
      const all = [...names, ...more].toReversed()
      await fc.assert(
        fc.asyncProperty(text, async (s) => {
          const found = await find({ s })
          const wanted = fold(s.trim())
          expect(found).toEqual(expect.arrayContaining(all.filter((name) => fold(name).includes(wanted))))
          const words = plain(wanted).split(' ').filter(Boolean)
          if (words.length === 0) words.push(wanted)
          const text =
            words[0] === wanted && /^['.@-]*$/.test(wanted) ? fold : (name: string) => plain(fold(name))
          expect(found).toEqual(all.filter((name) => words.every((word) => text(name).includes(word))))
        }),
        { numRuns: repeats(80, 200), seed: 28 },
      )
    })

    test('a search of 200 characters is accepted, and a longer one is rejected with the name of the parameter (reliability 27)', async () => {
      expect(await find({ s: 'x'.repeat(200) })).toEqual([])
      expect(await find({ s: '🚕'.repeat(200) })).toEqual([])
      for (const name of ['s', 'phone', 'ordering', 'filter']) {
        const answer = await server().get(`/api/v1/oms/drivers/?${name}=${'7'.repeat(201)}`)
        expect(Object.keys(readProblem(answer, 400).errors ?? {})).toEqual([name])
      }
    })

    test('a renamed driver is found only by the new name', async () => {
      const { engine } = server()
      const { id } = await buildDriver(engine, { fullname: 'Before Wedding' })
      const fullname = 'After Wedding'
      await engine.db
        .updateTable('drivers')
        .set({ fullname, search: fold(fullname) })
        .where('id', '=', id)
        .execute()
      expect(await find({ s: 'before wed' })).toEqual([])
      expect(await find({ s: 'after wed' })).toEqual([fullname])
      await engine.db.deleteFrom('drivers').where('id', '=', id).execute()
      expect(await find({ s: 'after wed' })).toEqual([])
    })
  })
})

describe.each(engines)('filtering drivers by phone on %s', (name) => {
  const server = useServer(name, { scope: 'suite' })

  beforeAll(async () => {
    for (const [fullname, phone_number] of Object.entries(phones))
      await buildDriver(server().engine, { fullname, phone_number })
  })

  const find = async (query: Record<string, string>) => {
    const parameters = new URLSearchParams(query).toString()
    const { results } = read(await server().get(`/api/v1/oms/drivers/?${parameters}`), Page(Driver))
    return results.map(({ user }) => user.fullname).toSorted()
  }

  test.each([
    ['254712345678', ['amina']],
    ['+254712345678', ['amina']],
    ['+254 712 345 678', ['amina']],
    ['0712345678', ['amina']],
    ['0712 345 678', ['amina']],
    ['0712-345-678', ['amina']],
    ['07123', ['amina']],
    ['0712', ['amina', 'dora']],
    ['071', ['amina', 'dora']],
    ['0112', ['brian']],
    ['12345678', ['amina', 'brian']],
    ['3000111', ['chris']],
    ['254', ['amina', 'brian', 'chris', 'grace']],
    ['+254 7', ['amina', 'chris', 'grace']],
    ['+254722000333', ['grace']],
    ['254722000', ['grace']],
    ['0722 000 333', ['grace']],
    ['254712999888', ['dora']],
    ['+254 (0) 712 345 678', ['amina']],
    ['00254 712 345 678', ['amina']],
    ['00254 7', ['amina', 'chris', 'grace']],
    ['07', ['amina', 'chris', 'dora', 'grace']],
    ['7254', ['faith']],
    ['7', ['amina', 'brian', 'chris', 'dora', 'eve', 'faith', 'grace']],
    ['45', ['amina', 'brian']],
    ['+44 7700', ['eve']],
    ['0733999', []],
    ['letters', []],
    ['%', []],
    ['_', []],
    ['+', []],
    ['', ['amina', 'brian', 'chris', 'dora', 'eve', 'faith', 'grace']],
    ['   ', ['amina', 'brian', 'chris', 'dora', 'eve', 'faith', 'grace']],
  ])(
    '“%s” is compared by digits only, and 0… also finds 254… (S7.3; rulings, lists)',
    async (phone, expected) => {
      expect(await find({ phone })).toEqual(expected)
    },
  )

  test('a plus sign that is decoded as a space does not change the result', async () => {
    const { results } = read(await server().get('/api/v1/oms/drivers/?phone=+254712345678'), Page(Driver))
    expect(results.map(({ user }) => user.fullname)).toEqual(['amina'])
  })

  test('a driver must match both s and phone (rulings, lists)', async () => {
    expect(await find({ s: 'amina', phone: '12345678' })).toEqual(['amina'])
    expect(await find({ s: 'chris', phone: '12345678' })).toEqual([])
    expect(await find({ s: 'i', phone: '12345678' })).toEqual(['amina', 'brian'])
  })

  test('s does not search phone numbers (rulings, lists)', async () => {
    expect(await find({ s: '712345' })).toEqual([])
  })
})
