import { getDefaultStore } from 'jotai'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { capabilitiesAtom } from '../../../src/api/config.ts'
import { targetsOf } from '../../../src/commands/command.ts'
import { requestsFor } from '../../../src/commands/find/asking.ts'
import { rowsFor } from '../../../src/commands/find/rows.ts'
import type { Found } from '../../../src/commands/find/search.ts'
import { requestKey } from '../../../src/commands/find/search.ts'
import { linkTo, takeLink } from '../../../src/commands/find/links.ts'
import { readingsOf } from '../../../src/commands/find/sentence.ts'
import type { Noun } from '../../../src/commands/noun.ts'
import { attraction } from '../../../src/commands/nouns/attraction.ts'
import { customer } from '../../../src/commands/nouns/customer.ts'
import { driver } from '../../../src/commands/nouns/driver.ts'
import { invoice } from '../../../src/commands/nouns/invoice.ts'
import { promo } from '../../../src/commands/nouns/promo.ts'
import { sos } from '../../../src/commands/nouns/sos.ts'
import { trip } from '../../../src/commands/nouns/trip.ts'
import { locationAtom } from '../../../src/state/location.ts'
import {
  wireAttraction,
  wireCustomer,
  wireDriver,
  wireInvoice,
  wireSos,
  wireTrip,
} from '../../support/wire.ts'

const nouns = [attraction, driver, customer, invoice, promo, sos, trip]
const vocabulary = { commands: nouns.flatMap(({ commands }) => commands), nouns }

const found = (noun: Noun, row: object, match: Found['match'] = 'words'): Found => ({
  noun,
  row: targetsOf(noun, [row])[0]?.row ?? {},
  match,
})
const kamau = found(driver, wireDriver({ id: 12, name: 'Jo Kamau' }))

/** The titles of the rows for a query, if a request for these words, or among these nouns, finds these records. */
function titles(typed: string, answers: Record<string, Found[]>): string[] {
  const known = requestsFor(typed, vocabulary).map(({ request }): [string, Found[]] => {
    const { q, nouns: among } = request
    return [requestKey(request), (among.length === 0 ? answers[q] : answers[among.join()]) ?? []]
  })
  const context = { path: '/', targets: [] }
  return rowsFor({ typed, context, vocabulary, answers: new Map(known), familiarity: () => 0 }).map(
    ({ title }) => title,
  )
}

describe('Mark', () => {
  it.each(['suspend mark otieno', 'trips mark otieno', 'open mark otieno', 'copy phone mark otieno'])(
    'is a part of the name in every reading of "%s"',
    (typed) => {
      const objects = readingsOf(typed, vocabulary).map(({ object }) => object)
      expect(objects[0]).toBe('mark otieno')
      expect(objects.filter((object) => !object.includes('mark otieno'))).toEqual([])
    },
  )

  it.each(['mark 12 as paid', 'mark invoice 12 paid'])('has no meaning of its own in "%s"', (typed) => {
    const [{ verb, object } = { verb: [], object: '' }] = readingsOf(typed, vocabulary)
    expect([verb.map(({ id }) => id), object]).toEqual([['invoice.clear'], '12'])
  })
})

describe('all words together', () => {
  it.each(['katana safari', 'bill otieno', 'suspend kamau', 'promo for kamau', 'last invoice of kamau'])(
    'are asked for as a name too, in one of at most four requests: %s',
    (typed) => {
      const requests = requestsFor(typed, vocabulary).map(({ request }) => request)
      expect(requests).toContainEqual({ q: typed, nouns: [] })
      expect(requests.length).toBeLessThanOrEqual(4)
    },
  )

  it('that are exactly a name find its record first', () => {
    const safari = found(driver, wireDriver({ id: 3, name: 'Katana Safari' }), 'exact')
    const katana = found(driver, wireDriver({ id: 4, name: 'Tom Katana' }))
    expect(titles('katana safari', { 'driver,customer': [katana], 'katana safari': [safari] })).toEqual([
      'Katana Safari',
      'Trips of Tom Katana',
      'Search trips for “katana”',
    ])
  })

  it.each(['Иван', 'Γιώργος', 'محمد', '王芳'])('are asked for in any script: %s', (typed) => {
    expect(requestsFor(typed, vocabulary)).toHaveLength(1)
  })
})

describe('a word that is a verb and a filter', () => {
  const answers = {
    ...{ driver: [kamau], 'driver,customer': [kamau] },
    invoice: [found(invoice, wireInvoice({ id: 5 }))],
    sos: [found(sos, wireSos({ id: 6 }))],
  }

  it.each([
    ['paid invoices of kamau', 'Paid invoices of Jo Kamau'],
    ['paid kamau', 'Paid invoices of Jo Kamau'],
    ['handled sos of kamau', 'Handled SOS logs of Jo Kamau'],
    ['paid 254710000012', 'Paid invoices of Jo Kamau'],
  ])('asks for a list beside the name of a person: %s', (typed, title) => {
    expect(titles(typed, answers)[0]).toBe(title)
  })

  it.each([
    ['paid 5', 'Clear invoice 5'],
    ['invoice #5 paid', 'Clear invoice 5'],
    ['handled 6', 'Acknowledge SOS log 6'],
  ])('is a command beside an id: %s', (typed, title) => {
    expect(titles(typed, answers)[0]).toBe(title)
  })

  it('of different nouns is the verb: "open kamau"', () => {
    expect(titles('open kamau', answers)[0]).toBe('Open Jo Kamau')
  })
})

describe('two filters, of a state and of a day', () => {
  const { set, get } = getDefaultStore()
  const before = get(capabilitiesAtom)
  beforeEach(() =>
    set(capabilitiesAtom, { ...before, filters: { trips: ['cancelled', 'today', 'driver:'] } }),
  )
  afterEach(() => set(capabilitiesAtom, before))

  it.each([
    'cancelled trips today',
    'trips today cancelled',
    'today cancelled trips',
    'safari za leo cancelled',
  ])('are one list: %s', (typed) => {
    expect(titles(typed, {})[0]).toBe('Cancelled trips today')
  })

  it('are one list of a person: "cancelled trips of kamau today"', () => {
    const rows = titles('cancelled trips of kamau today', { 'driver,customer': [kamau] })
    expect(rows[0]).toBe('Cancelled trips today of Jo Kamau')
  })

  it('both reach the address', () => {
    const context = { path: '/', targets: [] }
    const given = { context, vocabulary, answers: new Map(), familiarity: () => 0 }
    const [first] = rowsFor({ typed: 'cancelled trips today', ...given })
    expect(first?.href).toBe('/trips?filter=cancelled,today')
  })
})

describe('words that only ask to show a record', () => {
  const attraction1 = found(attraction, wireAttraction({ id: 3, name: 'Lake Elmenteita' }), 'exact')

  it.each([
    ...['open lake elmenteita', 'go to lake elmenteita', 'find lake elmenteita', 'show me lake elmenteita'],
    ...['view lake elmenteita', 'tafuta lake elmenteita', 'fungua lake elmenteita'],
  ])('leave the name that follows: %s', (typed) => {
    expect(titles(typed, { 'lake elmenteita': [attraction1] })[0]).toBe('Lake Elmenteita')
  })

  it.each([
    ['open customer amina', 'customer', found(customer, wireCustomer({ id: 9, fullname: 'Amina Yusuf' }))],
    ['open invoice 5', 'invoice', found(invoice, wireInvoice({ id: 5 }), 'exact')],
    ['fungua safari 99', 'trip', found(trip, wireTrip({ id: 99 }), 'exact')],
  ])('leave the noun and the name that follow: %s', (typed, noun, record) => {
    const title = record.noun.nameOf(record.row).replace(/^./, (letter) => letter.toUpperCase())
    expect(titles(typed, { [noun]: [record] })[0]).toBe(title)
  })

  it('do not come before the command that they name', () => {
    const exact = { ...kamau, match: 'exact' as const }
    expect(titles('open jo kamau', { driver: [exact], 'jo kamau': [exact] })[0]).toBe('Open Jo Kamau')
  })

  it('are the name where nothing else is typed', () => {
    expect(readingsOf('go to', vocabulary).map(({ object }) => object)).toEqual(['go to'])
  })
})

test('the address of every command on a record fills the palette with words that find the command', () => {
  for (const noun of nouns)
    for (const command of noun.commands.filter((one) => one.noun === noun.name)) {
      const target = { ref: { noun: noun.name, id: '6' }, row: {} }
      const to = linkTo(command, { path: '/', targets: [target] })
      getDefaultStore().set(locationAtom, { to })
      const typed = takeLink(vocabulary.commands, true) ?? ''
      expect([typed, readingsOf(typed, vocabulary)[0]?.verb]).toEqual([typed, [command]])
      expect(readingsOf(typed, vocabulary)[0]?.object).toBe('#6')
    }
})

test('the last trip of a person is looked for in the list of their trips, not among people', () => {
  const client = found(customer, wireCustomer({ id: 9 }))
  const rows = titles('last trip of kamau', { 'driver,customer': [kamau, client] })
  expect(rows.slice(0, 2)).toEqual(['Trips of Jo Kamau', `Trips of ${customer.nameOf(client.row)}`])
})

test('"delete view" deletes no record that has one of the words of the view in its name', () => {
  const asked = requestsFor('delete view overdue mombasa', vocabulary).map(({ request }) => request.q)
  expect(asked.filter((q) => !q.includes('view'))).toEqual([])
})
