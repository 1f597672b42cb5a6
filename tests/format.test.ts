import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { fileSize } from '../src/file-size.ts'
import * as everything from '../src/format.ts'
import {
  amount,
  calendarDate,
  calendarDay,
  coordinate,
  count,
  currentMonth,
  day,
  dayAndTime,
  exactNumber,
  initials,
  inviteCode,
  isOver,
  isWithin,
  ksh,
  momentOf,
  numberOf,
  phone,
  phoneHref,
  text,
  thousandth,
  wholeAmount,
  yesOrNo,
} from '../src/format.ts'

describe('numbers', () => {
  it.each([
    [1234.5, '1,234.50'],
    [0, '0.00'],
    [-1234.567, '-1,234.57'],
    [1_234_567.891, '1,234,567.89'],
    ['1250.5', '1,250.50'],
    [' 12 ', '12.00'],
  ])('%j as an amount has two decimals in the English locale: %s (S9.2)', (value, shown) => {
    expect(amount(value)).toBe(shown)
  })

  it.each([
    null,
    undefined,
    '',
    '  ',
    'abc',
    '12 000',
    NaN,
    Infinity,
    -Infinity,
    'Infinity',
    true,
    [],
    [5],
    {},
  ])('%j is no number, so every formatter shows 0 (S9.2)', (value) => {
    expect(numberOf(value)).toBeNull()
    expect(amount(value)).toBe('0')
    expect(thousandth(value)).toBe('0')
    expect(wholeAmount(value)).toBe('0')
    expect(count(value)).toBe('0')
    expect(ksh(value)).toBe('Ksh. 0')
  })

  it.each([
    [12_345, '12.35'],
    [0, '0.00'],
    [999, '1.00'],
    [1_234_567, '1,234.57'],
    ['12345', '12.35'],
  ])('%j metres are %s kilometres: the second formatter divides by 1000 first (S9.2)', (metres, shown) => {
    expect(thousandth(metres)).toBe(shown)
  })

  it.each([
    [1234, '1,234.00'],
    [1234.4, '1,234.00'],
    [1234.5, '1,235.00'],
    [-5.2, '-5.00'],
    [0, '0.00'],
  ])('%j on the dashboard is rounded to a whole number, followed by .00: %s (S9.1)', (value, shown) => {
    expect(wholeAmount(value)).toBe(shown)
  })

  it.each([
    [1234, 'Ksh. 1,234'],
    [1234.56, 'Ksh. 1,235'],
    [0, 'Ksh. 0'],
  ])('%j on an invoice reads %s (S9.1)', (value, shown) => {
    expect(ksh(value)).toBe(shown)
  })

  it.each([
    [12_345, '12,345'],
    [0, '0'],
    ['7', '7'],
  ])('%j as a count is %s', (value, shown) => {
    expect(count(value)).toBe(shown)
  })

  it('a value that rounds to zero has no minus sign', () => {
    expect(amount(-0.001)).toBe('0.00')
    expect(amount(-0)).toBe('0.00')
    expect(thousandth(-1)).toBe('0.00')
    expect(wholeAmount(-0.4)).toBe('0.00')
    expect(ksh(-0.4)).toBe('Ksh. 0')
    expect(count(-0)).toBe('0')
  })

  it.each([
    [-1.286389, '-1.286389'],
    [36.8172230001, '36.817223'],
    [0, '0.000000'],
    ['36.8', '36.800000'],
    [null, ''],
    ['north', ''],
    [Infinity, ''],
    [-1e-7, '0.000000'],
    [180, '180.000000'],
    [180.1, ''],
    [1e21, ''],
  ])('%j as a coordinate has six decimals or is blank: %j (S9.5)', (value, shown) => {
    expect(coordinate(value)).toBe(shown)
  })
})

describe('text', () => {
  it.each([
    ['Jo', 'Jo'],
    [12, '12'],
    [0, '0'],
    ['', ''],
    [null, ''],
    [undefined, ''],
    [NaN, ''],
    [true, ''],
    [{ toString: () => 'x' }, ''],
    [['a'], ''],
  ])('%j reads %j; only text and numbers are shown', (value, shown) => {
    expect(text(value)).toBe(shown)
  })

  it.each([
    ['254712345678', '+254712345678'],
    ['+254712345678', '+254712345678'],
    ['++254712345678', '+254712345678'],
    [' 254712345678 ', '+254712345678'],
    [254712345678, '+254712345678'],
    ['', ''],
    ['+', ''],
    [null, ''],
    [{}, ''],
  ])('%j as a phone number has one leading plus, never doubled, never alone: %j (S2.d.2)', (value, shown) => {
    expect(phone(value)).toBe(shown)
  })

  it.each([
    ['254712345678', 'tel:+254712345678'],
    ['+254 712-345 678', 'tel:+254712345678'],
    ['0712345678', 'tel:+254712345678'],
    ['0112 345 678', 'tel:+254112345678'],
    ['+447911123456', 'tel:+447911123456'],
    ['none', ''],
    [null, ''],
  ])('%j as a phone number is dialled with %j, a local one in its international form', (value, href) => {
    expect(phoneHref(value)).toBe(href)
  })

  it.each([
    ['Jo Kamau', 12, 'JO12'],
    ['Amina Yusuf', 7, 'AMI7'],
    ['Li', 3, 'LI3'],
    ['A B C', 4, 'AB4'],
    ['😀abc', 5, '😀AB5'],
    ['', 9, ''],
    [null, null, ''],
    ['Amina Yusuf', null, ''],
  ])('%j with driver id %j has the invite code %j (S2.l.4)', (fullname, id, code) => {
    expect(inviteCode(fullname, id)).toBe(code)
  })

  it.each([
    ['Jo Kamau', 'JK'],
    ['  amina   yusuf wanjiru ', 'AW'],
    ['asha@twende.test', 'A'],
    ['Madonna', 'M'],
    ['Ali (driver)', 'A('],
    ['王小明', '王'],
    ['👩‍🚀 Ride', 'R'],
    ['!!!', ''],
    ['', ''],
    [null, ''],
  ])('%j has the initials %j (S2.e.2)', (name, letters) => {
    expect(initials(name)).toBe(letters)
  })

  it('the first letter of a name has all that belongs to it (S2.e.2)', () => {
    const words = fc.string({
      unit: fc.oneof(
        fc.constantFrom('\u0301', 'é', '\u200d', '👩', 'ß', 'A', '.'),
        fc.string({ maxLength: 1 }),
      ),
    })
    fc.assert(
      fc.property(words, (rest) => {
        const name = `a${rest.replace(/[\s@._-]/g, '')}`
        const [first] = new Intl.Segmenter().segment(name)
        expect(initials(name)).toBe(first?.segment.toUpperCase())
      }),
    )
  })
})

describe('dates', () => {
  it('a missing value is blank also if it is the first one that is read (S9.3)', async () => {
    vi.resetModules()
    const { day, dayAndTime } = await import('../src/format.ts')
    expect([undefined, null, undefined].map((value) => [day(value), dayAndTime(value)])).toEqual(
      Array(3).fill(['', '']),
    )
  })

  it.each([
    ['2025-11-01T12:00:00Z', '1st Nov 2025'],
    ['2025-11-02T12:00:00Z', '2nd Nov 2025'],
    ['2025-11-03T12:00:00Z', '3rd Nov 2025'],
    ['2025-11-04T12:00:00Z', '4th Nov 2025'],
    ['2025-11-11T12:00:00Z', '11th Nov 2025'],
    ['2025-11-12T12:00:00Z', '12th Nov 2025'],
    ['2025-11-13T12:00:00Z', '13th Nov 2025'],
    ['2025-11-20T12:00:00Z', '20th Nov 2025'],
    ['2025-11-21T12:00:00Z', '21st Nov 2025'],
    ['2025-11-22T12:00:00Z', '22nd Nov 2025'],
    ['2025-11-23T12:00:00Z', '23rd Nov 2025'],
    ['2025-11-24T12:00:00Z', '24th Nov 2025'],
    ['2025-12-31T12:00:00Z', '31st Dec 2025'],
    ['2025-09-05T12:00:00Z', '5th Sep 2025'],
  ])('%s shows %s: ordinal day, short month, year (S9.3)', (value, shown) => {
    expect(day(value)).toBe(shown)
  })

  describe.each([
    ['UTC', 0],
    ['America/Los_Angeles', 480],
    ['Pacific/Auckland', -780],
  ])('in a browser in %s', (zone, offset) => {
    const own = process.env['TZ']
    beforeAll(() => {
      process.env['TZ'] = zone
    })
    afterAll(() => {
      if (own === undefined) delete process.env['TZ']
      else process.env['TZ'] = own
    })

    it.each([
      ['2025-11-03T20:59:59Z', '3rd Nov 2025'],
      ['2025-11-03T20:59:59', '3rd Nov 2025'],
      ['2025-11-03T21:00:00Z', '4th Nov 2025'],
      ['2025-11-03 21:00:00', '4th Nov 2025'],
      ['2025-12-31T21:00:00Z', '1st Jan 2026'],
      ['2025-11-03T23:30:00-05:00', '4th Nov 2025'],
      ['2025-11-04T01:00:00+03:00', '4th Nov 2025'],
      ['2025-11-03', '3rd Nov 2025'],
    ])('%s is %s in Nairobi (S9.3)', (value, shown) => {
      expect(new Date('2025-12-01T00:00:00Z').getTimezoneOffset()).toBe(offset)
      expect(day(value)).toBe(shown)
    })
  })

  it('a calendar date is shown without a time (S9.3, R4)', () => {
    expect(dayAndTime('2025-11-03')).toBe('3rd Nov 2025')
  })

  it.each(['2025-11-03T22:30:00', '2025-11-03 22:30:00', '2025-11-03T22:30:00.123456', '2025-11-03T22:30'])(
    'the timestamp %s without a zone is UTC (S9.3)',
    (value) => {
      expect(dayAndTime(value)).toBe('4th Nov 2025, 1:30 am')
    },
  )

  it.each(['2025-11-03T22:30:00+0000', '2025-11-03 22:30:00+00:00', '2025-11-03T22:30:00z'])(
    'the timestamp %s with a zone is read in that zone',
    (value) => {
      expect(dayAndTime(value)).toBe('4th Nov 2025, 1:30 am')
    },
  )

  it.each([
    ['2025-11-03T21:00:00Z', '4th Nov 2025, 12:00 am'],
    ['2025-11-03T22:05:00Z', '4th Nov 2025, 1:05 am'],
    ['2025-11-03T08:59:00Z', '3rd Nov 2025, 11:59 am'],
    ['2025-11-03T09:00:00Z', '3rd Nov 2025, 12:00 pm'],
    ['2025-11-03T20:59:00Z', '3rd Nov 2025, 11:59 pm'],
  ])('%s shows %s: 12-hour time with am and pm, UTC to East Africa Time (S9.3)', (value, shown) => {
    expect(dayAndTime(value)).toBe(shown)
  })

  it.each(['2025-11-03', '2026-01-01', '2026-12-31', '2024-02-29'])(
    'the calendar date %s (valid_till) is never shifted (S2.q.2)',
    (value) => {
      const [year, , date] = value.split('-')
      expect(day(value)).toMatch(new RegExp(`^${Number(date)}\\w\\w \\w{3} ${year ?? ''}$`))
    },
  )

  it.each([
    null,
    undefined,
    '',
    0,
    1_762_155_000_000,
    '1762155000000',
    'yesterday',
    '03/11/2025',
    '2025-13-40',
    '2025-11-03Tlate',
    '1970-01-01T00:00:00Z',
    '1970-01-01',
    {},
    [],
    true,
  ])('%j is not a date and shows as blank (S9.3)', (value) => {
    expect(momentOf(value)).toBeNull()
    expect(day(value)).toBe('')
    expect(dayAndTime(value)).toBe('')
  })

  it.each([
    ['2025-11-30T20:59:59Z', 'November 2025'],
    ['2025-11-30T21:00:00Z', 'December 2025'],
    ['2025-12-31T21:00:00Z', 'January 2026'],
  ])('at %s the current month is %s in Nairobi (S2.c.1)', (now, month) => {
    expect(currentMonth(new Date(now))).toBe(month)
  })
})

describe('any value from a server', () => {
  const now = new Date('2026-11-20T12:00:00Z')
  const numbers = { amount, coordinate, count, ksh, thousandth, wholeAmount }
  const dates = { calendarDate, calendarDay, day, dayAndTime }
  const texts = {
    exactNumber,
    initials,
    phone,
    phoneHref,
    text,
    yesOrNo,
    inviteCode: (value: unknown) => inviteCode(value, value),
  }
  const answered = {
    isOver: (value: unknown) => isOver(value, now),
    isWithin: (value: unknown) => isWithin(3, value, now),
    momentOf,
    numberOf,
  }
  const nasty = fc.oneof(
    fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true, withSparseArray: true }),
    fc.constantFrom<unknown>(...[NaN, Infinity, -Infinity, -0, 1e21, -1e21, 1e308, 5e-324, -1e-7, 0n, 7n]),
    fc.constantFrom<unknown>(
      '+5',
      '-5',
      '--5',
      '+-5',
      '-0',
      '1e400',
      '1e21',
      '0x1F',
      '0b11',
      '0o7',
      '-',
      '+',
      'e',
    ),
    fc.constantFrom<unknown>(
      '1,234',
      '1 234',
      '1\u00a0234',
      '١٢',
      '\ud800',
      'a\udc00b',
      '\0',
      Symbol('s'),
      () => 5,
    ),
    fc.constantFrom<unknown>([5], ['2025-11-03'], new Map(), new Date(NaN), new Date(0), new Number(5)),
    fc.constantFrom<unknown>(unspeakable('toString'), unspeakable('valueOf'), unspeakable('toJSON')),
    fc.constantFrom<unknown>(
      '0000-00-00',
      '0000-00-00 00:00:00',
      '0001-01-01T00:00:00Z',
      '1970-01-01T03:00:00',
    ),
    fc.constantFrom<unknown>('1969-12-31T21:00:00Z', '9999-99-99', '2025-11-03T99:99:99Z', '-000001-01-01'),
    fc.date({ noInvalidDate: true, min: new Date('1971-01-01') }).map((date) => date.toISOString()),
    fc.double().map(String),
    fc.string({ unit: 'binary' }),
  )
  // Text is shown unchanged, even the text "null".
  const ours = /undefined|NaN|Invalid Date|null|1970|Infinity|\[object/
  const sentAsIs = (value: unknown) => ours.test(text(value))

  it('is given to every exported formatter', () => {
    const known = [...Object.values({ numbers, dates, texts, answered }).flatMap((some) => Object.keys(some))]
    const exported = Object.entries(everything).filter(([, one]) => typeof one === 'function')
    // `decimal` is tested through the formatters that use it. The two others format values of the console, not of a server.
    expect([...known, 'currentMonth', 'decimal', 'timeOfDay'].toSorted()).toEqual(
      exported.map(([name]) => name).toSorted(),
    )
  })

  it.each(Object.entries({ ...numbers, ...dates, ...texts }))(
    '%s returns a string and invents no value (S9.1 to S9.5)',
    (_name, format) => {
      fc.assert(
        fc.property(nasty, (value) => {
          fc.pre(!sentAsIs(value))
          const shown = format(value)
          expect(typeof shown).toBe('string')
          expect(shown).not.toMatch(ours)
        }),
        { numRuns: 500, seed: 95 },
      )
    },
  )

  it.each(Object.entries(numbers))(
    '%s returns a plain number or blank, never minus zero (S9.1, S9.2, S9.5)',
    (_name, format) => {
      fc.assert(
        fc.property(nasty, (value) => {
          const shown = format(value)
          expect(shown).toMatch(/^(Ksh\. )?(-?\d{1,3}(,\d{3})*(\.\d+)?)?$/)
          expect(shown).not.toMatch(/-[0,.]*$/)
        }),
        { numRuns: 500, seed: 92 },
      )
    },
  )

  it.each(Object.entries(dates))('%s returns a date or blank (S9.3)', (_name, format) => {
    fc.assert(
      fc.property(nasty, (value) => {
        expect(format(value)).toMatch(/^$|^\d{4}-\d\d-\d\d$|^\d{1,2}(st|nd|rd|th) [A-Z][a-z]{2} \d{4}(, |$)/)
      }),
      { numRuns: 500, seed: 93 },
    )
  })

  it.each(Object.entries(answered))(
    '%s does not throw, and returns null, a boolean or a finite value',
    (_name, ask) => {
      fc.assert(
        fc.property(nasty, (value) => {
          const answer = ask(value)
          expect(answer === null || typeof answer === 'boolean' || Number.isFinite(Number(answer))).toBe(true)
        }),
        { numRuns: 500, seed: 94 },
      )
    },
  )

  it.each(['0x1F', '0b11', '0o7', '1,234', '1 234', 'e', '+', '.', '١٢'])(
    '%j is no decimal number (S9.2)',
    (value) => {
      expect(numberOf(value)).toBeNull()
    },
  )

  it.each([
    '2025-02-30',
    '2025-02-29',
    '2025-04-31T10:00:00Z',
    '1970-01-01T03:00:00',
    '1969-12-31T21:00:00Z',
    '0026-12-31',
  ])('%s is not a date (S9.3)', (value) => {
    expect([momentOf(value), day(value), calendarDate(value)]).toEqual([null, '', ''])
  })

  it('an amount keeps its value to the cent (S9.2)', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e12, max: 1e12 }), (cents) => {
        const shown = amount(cents / 100)
        expect(shown).toMatch(/^-?(\d{1,3})(,\d{3})*\.\d{2}$/)
        expect(Math.round(Number(shown.replaceAll(',', '')) * 100)).toBe(cents === 0 ? 0 : cents)
      }),
    )
  })

  it('every number is shown as Intl writes it (S9.1, S9.2)', () => {
    const options = { signDisplay: 'negative' } as const
    const twoDecimals = new Intl.NumberFormat('en', {
      ...options,
      minimumFractionDigits: 2,
      maximumFractionDigits: 2,
    })
    const noDecimals = new Intl.NumberFormat('en', { ...options, maximumFractionDigits: 0 })
    const nearHalf = fc.tuple(fc.integer(), fc.constantFrom(0.5, 0.005, 0.015, 0.4999, 1e-7, 1e-9))
    const numbers = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e21, max: 1e21 }),
      fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e4, max: 1e4 }),
      nearHalf.map(([whole, rest]) => whole + rest),
      fc.constantFrom(1.005, 1e20, 123_456_789_012_345_680_000, 0.995, 999.995, -0.004, -0, 5e-324),
    )
    fc.assert(
      fc.property(numbers, (number) => {
        expect(amount(number)).toBe(twoDecimals.format(number))
        expect(count(number)).toBe(noDecimals.format(number))
      }),
      { numRuns: 2000 },
    )
    expect(count(1.5e21)).toBe('1,500,000,000,000,000,000,000')
  })

  it('every moment is shown as day and time in the same form (S9.3)', () => {
    const moments = fc.date({
      noInvalidDate: true,
      min: new Date('1971-01-01'),
      max: new Date('9999-01-01'),
    })
    fc.assert(
      fc.property(moments, (moment) => {
        expect(dayAndTime(moment.toISOString())).toMatch(
          /^([1-9]|[12]\d|3[01])(st|nd|rd|th) [A-Z][a-z]{2} \d{4}, ([1-9]|1[0-2]):[0-5]\d [ap]m$/,
        )
      }),
    )
  })
})

describe('a calendar date', () => {
  it.each([
    ['2025-11-03', '3rd Nov 2025'],
    ['2025-11-03T23:30:00Z', '3rd Nov 2025'],
    ['2025-11-03T00:00:00+14:00', '3rd Nov 2025'],
    [null, ''],
    ['', ''],
    ['soon', ''],
    [20251103, ''],
  ])('%j is shown as %j, without a time zone shift (S3.13, S3.14)', (value, expected) => {
    expect(calendarDay(value)).toBe(expected)
  })

  it.each([
    ['2025-11-03', '2025-11-03'],
    ['2025-11-03T23:30:00Z', '2025-11-03'],
    ['1970-01-02', '1970-01-02'],
    ['never', ''],
    [null, ''],
  ])('%j is %j in a date input', (value, expected) => {
    expect(calendarDate(value)).toBe(expected)
  })

  it.each([
    ['2025-11-03', '2025-11-03T20:59:59Z', false],
    ['2025-11-03', '2025-11-03T21:00:00Z', true],
    ['2025-11-03', '2025-11-02T00:00:00Z', false],
    [null, '2025-11-03T00:00:00Z', false],
    ['', '2025-11-03T00:00:00Z', false],
  ])('%j at %s has expired: %s; a date expires at the end of its day in Nairobi', (value, now, expected) => {
    expect(isOver(value, new Date(now))).toBe(expected)
  })
})

it.each([
  [0, '1 KB'],
  [310_000, '310 KB'],
  [999_499, '999 KB'],
  [999_500, '1 MB'],
  [2_440_000, '2.4 MB'],
  [12_000_000, '12 MB'],
])('a file size of %i bytes is shown as %s', (bytes, expected) => {
  expect(fileSize(bytes)).toBe(expected)
})

it('any file size is shown in KB or MB', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), (bytes) => {
      expect(fileSize(bytes)).toMatch(/^\d{1,3}(,\d{3})*(\.\d)? [KM]B$/)
    }),
  )
})

/** An object that throws when its method converts it to text, a number or JSON. */
function unspeakable(method: string): object {
  return {
    [method]: () => {
      throw new Error('An object that cannot be shown.')
    },
  }
}
