import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import gazetteer from '../../server/gazetteer/places-ke.json' with { type: 'json' }
import { searchPlaces } from '../../server/places.ts'

const namesFor = (q: string) => searchPlaces(q).map(({ placeName }) => placeName)

describe('the gazetteer', () => {
  test.each([
    // Other names.
    ['JKIA', 'Jomo Kenyatta International Airport'],
    ['jkia airport', 'Jomo Kenyatta International Airport'],
    ['kicc', 'Kenyatta International Convention Centre'],
    ['knh', 'Kenyatta National Hospital'],
    ['trm', 'Thika Road Mall'],
    ['masai mara', 'Maasai Mara National Reserve'],
    ['gedi ruins', 'Gede Ruins'],
    ['elephant orphanage', 'Sheldrick Wildlife Trust Elephant Nursery'],
    // Differences in case, accents, punctuation, spaces and abbreviations.
    ['fort jesus', 'Fort Jesus'],
    ['  GIRÁFFE   centre ', 'Giraffe Centre'],
    ['hells gate', "Hell's Gate National Park"],
    ['hell’s gate gorge', "Hell's Gate Gorge"],
    ['tmall', 'T-Mall'],
    ['fortjesus', 'Fort Jesus'],
    ['mt kenya', 'Mount Kenya National Park'],
    ['kisumu intl airport', 'Kisumu International Airport'],
    // The beginnings of one or more words.
    ['maasai mara', 'Maasai Mara National Reserve'],
    ['giraf centre', 'Giraffe Centre'],
    ['sarit', 'Sarit Centre'],
    ['two riv', 'Two Rivers Mall'],
    ['hub karen', 'The Hub Karen'],
    // Words in any order; also words of the town, the county and the kind of place.
    ['museum nairobi', 'Nairobi National Museum'],
    ['jesus fort', 'Fort Jesus'],
    ['nakuru lake', 'Lake Nakuru National Park'],
    ['carnivore nairobi', 'Carnivore Restaurant'],
    ['treetops nyeri', 'Treetops Lodge'],
    ['keekorok narok', 'Keekorok Lodge'],
    ['stadium kakamega', 'Bukhungu Stadium'],
    ['zoo giraffe', 'Giraffe Centre'],
    // A place near another place that is in the query too.
    ['java westlands', 'Java House Sarit Centre'],
    // One wrong, missing, extra or swapped letter, also the first letter.
    ['jomo kenyata', 'Jomo Kenyatta International Airport'],
    ['jkai', 'Jomo Kenyatta International Airport'],
    ['wilson airpotr', 'Wilson Airport'],
    ['ilson airport', 'Wilson Airport'],
    ['vilson airport', 'Wilson Airport'],
    ['giraffe center', 'Giraffe Centre'],
    ['massai maara', 'Maasai Mara National Reserve'],
    ['carnivorre', 'Carnivore Restaurant'],
    ['carnivore nairbi', 'Carnivore Restaurant'],
    ['gikonba', 'Gikomba Market'],
    // The more important of two similar places.
    ['airport', 'Jomo Kenyatta International Airport'],
    ['hospital kisumu', 'Star Hospital Kisumu'],
    ['mombasa airport', 'Moi International Airport Mombasa'],
    ['lewa', 'Lewa Wildlife Conservancy'],
    ['tsavo east', 'Tsavo East National Park'],
    ['nairobi national', 'Nairobi National Museum'],
  ])('lists for %j first %j (S7.38, S9.10)', (q, expected) => {
    expect(namesFor(q)[0]).toBe(expected)
  })

  test('ranks an exact name first, then beginnings of names, beginnings of words, other matches and misspellings (S7.38)', () => {
    expect(namesFor('fairmont the norfolk')).toEqual(['Fairmont The Norfolk'])
    expect(namesFor('uhuru park')[0]).toBe('Uhuru Park')
    expect(namesFor('sarit')).toEqual(['Sarit Centre', 'Java House Sarit Centre'])
    const found = namesFor('ark')
    const rank = (name: string) => (/^ark/i.test(name) ? 0 : /\bark/i.test(name) ? 1 : 2)
    expect(found.map(rank)).toEqual([1, 2, 2, 2, 2, 2, 2, 2])
    expect(namesFor('kibuye')).toEqual(['Kibuye Market'])
  })

  test('considers spelling mistakes only if no name begins with the typed text', () => {
    expect(namesFor('java').filter((name) => !name.startsWith('Java'))).toEqual([])
    expect(namesFor('kfc')).toEqual(['KFC Galleria'])
  })

  test('finds any name with one wrong, missing, doubled or swapped letter among the first five (S7.38)', () => {
    const letter = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 1 })
    const place = fc.constantFrom(
      ...gazetteer.places.map(({ name }) => name).filter((name) => name.length > 4),
    )
    const typo = fc.constantFrom(
      (name: string, at: number) => name.slice(0, at) + name.slice(at + 1),
      (name: string, at: number, other: string) => name.slice(0, at) + other + name.slice(at),
      (name: string, at: number, other: string) => name.slice(0, at) + other + name.slice(at + 1),
      (name: string, at: number) =>
        name.slice(0, at) + name.slice(at + 1, at + 2) + name.slice(at, at + 1) + name.slice(at + 2),
    )
    fc.assert(
      fc.property(place, typo, fc.nat(), letter, (name, mistype, at, other) => {
        expect(namesFor(mistype(name, at % name.length, other)).slice(0, 5)).toContain(name)
      }),
      { numRuns: 300, seed: 738 },
    )
  })

  test('lists every place first for its full name, and among the first eight for its other names', () => {
    for (const { name, aliases = [] } of gazetteer.places) {
      expect(namesFor(name)[0], name).toBe(name)
      for (const alias of aliases) expect(namesFor(alias), alias).toContain(name)
    }
  })

  test('gives at most eight different places for any query, and the same ones each time', () => {
    const words = fc.constantFrom(
      'java',
      'nairobi',
      'mall',
      'x',
      'kenya',
      'the',
      'westlands',
      '%',
      '_',
      '"',
      '\\',
      '‮',
    )
    const question = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ maxLength: 3 }),
      fc.array(words, { maxLength: 40 }).map((parts) => parts.join(' ')),
    )
    fc.assert(
      fc.property(question, (q) => {
        const found = namesFor(q)
        expect(found.length).toBeLessThanOrEqual(8)
        expect(new Set(found).size).toBe(found.length)
        expect(namesFor(q)).toEqual(found)
      }),
      { numRuns: 100, seed: 910 },
    )
  })
})
