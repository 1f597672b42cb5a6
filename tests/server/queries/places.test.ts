import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fold } from '../../../server/fold.ts'
import { wordsOf } from '../../../server/words.ts'
import { Page, Trip } from '../../../src/api/contract.ts'
import { engines } from '../../support/engines.ts'
import { buildCustomer, buildDriver, buildTrip } from '../../support/factories.ts'
import { read, useServer } from '../../support/server.ts'
import { repeats } from '../../support/soak.ts'

const places = [
  'Westlands',
  "Lang'ata Hospital",
  'Eastleigh 12th Street',
  'J.K.I.A Terminal 1-A',
  'Kwa Njenga',
  'Gĩthũrai 45',
  'Ng’ong',
  'Kilimani  Mall',
]

const plain = (text: string) => fold(text).replace(/['’ʼ]/g, '').replace(/[-.]/g, ' ')

describe.each(engines)('searching trips on %s', (name) => {
  const server = useServer(name, { scope: 'suite' })

  const find = async (s: string) => {
    const parameters = new URLSearchParams({ s, page_size: '1000' }).toString()
    const page = read(await server().get(`/api/v1/oms/trips/?${parameters}`), Page(Trip))
    expect(page.count).toBe(page.results.length)
    return page.results
  }

  test('any parts of words find exactly the trips whose places and notes, driver or customer have all of them, also after changes (S7.14)', async () => {
    const { engine } = server()
    const drivers = [
      await buildDriver(engine, { fullname: 'Otieno K 7' }),
      await buildDriver(engine, { fullname: "Ng'ang'a Wa" }),
    ]
    const customer = await buildCustomer(engine, { fullname: 'Njenga West' })
    const pick = fc.constantFrom(...places)
    const rows = fc.sample(fc.tuple(pick, pick, fc.constantFrom('', 'Gate 7, call first', 'x_y 100%')), {
      numRuns: 60,
      seed: 714,
    })
    for (const [nth, [start_name, destination_name, notes]] of rows.entries()) {
      const driver_id = nth % 3 === 0 ? (drivers[nth % 2]?.id ?? null) : null
      const customer_id = nth % 5 === 0 ? customer.id : null
      await buildTrip(engine, { start_name, destination_name, notes, driver_id, customer_id })
    }
    const moved = { start_name: 'Zimmerman', destination_name: 'Ruaka', notes: '', search: 'zimmerman ruaka' }
    await engine.db.updateTable('trips').set(moved).where('id', '=', 7).execute()
    await engine.db.deleteFrom('trips').where('id', '=', 11).execute()

    expect((await find('zimm uak')).map(({ id }) => id)).toEqual([7])
    const all = await find('')
    expect(all).toHaveLength(59)
    const textsOf = ({ start_name, destination_name, notes, driver, customer }: Trip) => [
      plain(`${start_name} ${destination_name} ${notes}`),
      plain(driver?.user.fullname ?? ''),
      plain(customer?.user.fullname ?? ''),
    ]
    const part = fc
      .tuple(
        fc.constantFrom(...places, 'Zimmerman', 'Otieno K 7', "Ng'ang'a Wa", 'x_y 100%'),
        fc.nat(9),
        fc.nat(6),
      )
      .map(([text, from, length]) => text.slice(from, from + length + 1))
      .filter((text) => wordsOf(text).length > 0)
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 3 }), async (parts) => {
        const s = parts.join(' ')
        const words = wordsOf(s)
        const expected = all.filter((trip) =>
          textsOf(trip).some((text) => words.every((word) => text.includes(word))),
        )
        expect((await find(s)).map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
      }),
      { numRuns: repeats(60, 400), seed: 715 },
    )
  })

  test('a part of more than 500 different words is found too (S7.14)', async () => {
    const notes = Array.from({ length: 501 }, (_, nth) => `qq${nth.toString()}`).join(' ')
    const { id } = await buildTrip(server().engine, { notes })
    expect((await find('qq')).map((trip) => trip.id)).toEqual([id])
    expect((await find('q4 westl')).map((trip) => trip.id)).toEqual([id])
  })

  test('a word of 10,000 characters can be stored, and is found by its beginning (S7.14)', async () => {
    const { id } = await buildTrip(server().engine, { notes: `long${'🚕é'.repeat(5_000)}` })
    expect((await find('long🚕')).map((trip) => trip.id)).toEqual([id])
  })
})
