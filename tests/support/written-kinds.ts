import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { Attraction, Blog, Coupon, PromoCode } from '../../src/api/contract.ts'

type Fields = Record<string, unknown>

/** A kind of record that staff edit, as a client sees it: its calls, and the input and output of each field. */
export interface Kind {
  noun: string
  table: 'attractions' | 'blogs' | 'coupons' | 'promo_codes'
  clauses: { create: string; update: string; delete: string }
  create: string
  update: (id: number) => string
  list: string
  shape: TSchema
  /** A complete body, and the fields of the reply that follow from it. */
  body: Fields
  record: Fields
  /** For each field another value, and the fields of the reply that it changes. */
  changes: Record<string, { sent: unknown; answered: Fields }>
  /** Fields that are optional on creation. */
  optional: string[]
  /** The maximum length of each text, in characters. */
  longest: Record<string, number>
  /** The field that `s` searches. */
  searched: string
  images: boolean
  money: boolean
  /** For each field, invalid values. */
  wrong: Record<string, fc.Arbitrary<unknown>>
}

const oms = '/api/v1/oms'
const nul = 'a\0b'

const noText = (longest: number) =>
  fc.oneof(
    fc.constantFrom<unknown>(null, 0, 7, true, [], ['text'], {}, nul, '\0', `${'x'.repeat(longest)}\0`),
    fc.constantFrom('x', '🚕', 'é').map((character) => character.repeat(longest + 1)),
  )
const noDate = fc.oneof(
  fc.constantFrom<unknown>(0, 20_260_101, true, [], {}, 'tomorrow', '2026-02-30', '2025-02-29', '2026-04-31'),
  fc.constantFrom(
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-01-32',
    '2026-1-1',
    '26-01-01',
    '01-01-2026',
  ),
  fc.constantFrom(
    '2026-01-01T00:00:00Z',
    ' 2026-01-01',
    '2026-01-01 ',
    '2026-01-01\n',
    '2026/01/01',
    '-001-01-01',
  ),
  fc.constantFrom('٢٠٢٦-٠١-٠١', '2026-01-01\0', '10000-01-01', 'null', '0'),
)
const noMoney = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    [],
    {},
    '',
    '5',
    'five',
    'NaN',
    1e12,
    1e300,
    -1,
    -0.01,
    100_000_000.01,
  ),
  fc.constantFrom(0.001, 0.005, 1.005, 4.355, 1e-3, 1e-5, 99_999_999.999, 1234567.891),
  fc.integer({ min: 1, max: 10_000_000 }).map((cents) => -cents / 100),
  fc
    .integer({ min: 1, max: 1_000_000_000 })
    .filter((mills) => mills % 10 !== 0)
    .map((mills) => mills / 1000),
)
const noDegrees = (most: number) =>
  fc.oneof(
    fc.constantFrom<unknown>(
      null,
      true,
      [],
      {},
      '',
      'north',
      'NaN',
      'Infinity',
      '1e1',
      ' 1',
      '1 ',
      '1,5',
      '+1',
    ),
    fc.constantFrom<unknown>('0x1', '.5', '5.', '1.2.3', '--1', '1.0000000000000001', 1e300, -1e300, `1\0`),
    fc.constantFrom(1, -1).map((sign) => sign * (most + 0.000001)),
    fc.constantFrom('', '-').map((sign) => `${sign}${most}.000001`),
  )
const noImage = fc.oneof(
  noText(2000),
  fc.constantFrom(
    ...['javascript:alert(1)', 'JaVaScRiPt:alert(1)', ' javascript:alert(1)', 'java\nscript:alert(1)'],
    ...[
      '\tjavascript:alert(1)',
      '\u0001javascript:alert(1)',
      'javascript&colon;alert(1)',
      'vbscript:msgbox(1)',
    ],
    ...['data:text/html,<script>alert(1)</script>', 'data:text/html;base64,PHNjcmlwdD4=', 'DATA:text/html,x'],
    ...[
      'data:image/svg+xml,<svg onload=alert(1)>',
      'blob:https://x.test/1',
      'file:///etc/passwd',
      'about:blank',
    ],
    ...[
      '//evil.test/x.png',
      '/\\evil.test/x.png',
      '\\\\evil.test\\x',
      'x.png',
      'ftp://x.test/a.png',
      '/',
      ' ',
    ],
    ...[
      'http:/x',
      'https:',
      'https:/',
      'view-source:https://x.test',
      'filesystem:https://x.test/a',
      '<img src=x>',
    ],
  ),
)

export const kinds: Kind[] = [
  {
    noun: 'attraction',
    table: 'attractions',
    clauses: { create: 'S7.19', update: 'S7.20', delete: 'S7.21' },
    create: `${oms}/attraction/create/oms/`,
    update: (id) => `${oms}/attractions/all/${id}/`,
    list: `${oms}/attractions/all/`,
    shape: Attraction,
    body: {
      name: 'Fort Jesus',
      description: 'Since 1593.\nBring water.',
      location: { placeName: 'Old Town, Mombasa', lat: -4.0625, lng: 39.6795 },
      lat: '-4.062500',
      lng: '39.679500',
      image: 'https://files.test/fort.jpg',
    },
    record: {
      name: 'Fort Jesus',
      description: 'Since 1593.\nBring water.',
      location: { placeName: 'Old Town, Mombasa', lat: -4.0625, lng: 39.6795 },
      lat: '-4.062500',
      lng: '39.679500',
      image: 'https://files.test/fort.jpg',
    },
    changes: {
      name: { sent: 'Gedi Ruins', answered: { name: 'Gedi Ruins' } },
      description: { sent: '', answered: { description: '' } },
      location: {
        sent: { placeName: 'Watamu' },
        answered: { location: { placeName: 'Watamu', lat: -4.0625, lng: 39.6795 } },
      },
      lat: {
        sent: '-3.309722',
        answered: {
          lat: '-3.309722',
          location: { placeName: 'Old Town, Mombasa', lat: -3.309722, lng: 39.6795 },
        },
      },
      lng: {
        sent: 40.5,
        answered: {
          lng: '40.500000',
          location: { placeName: 'Old Town, Mombasa', lat: -4.0625, lng: 40.5 },
        },
      },
      image: { sent: '/files/gedi.png', answered: { image: '/files/gedi.png' } },
    },
    optional: ['image'],
    longest: { name: 300, description: 20_000 },
    searched: 'name',
    images: true,
    money: false,
    wrong: {
      name: noText(300),
      description: noText(20_000),
      location: fc.oneof(
        fc.constantFrom<unknown>(
          null,
          'Mombasa',
          7,
          true,
          [],
          {},
          { placename: 'Mombasa' },
          { lat: 1, lng: 1 },
        ),
        fc.oneof(noText(300), fc.constantFrom('', ' ', '\n\t')).map((placeName) => ({ placeName })),
        noDegrees(90)
          .filter((lat) => typeof lat !== 'string' || !/^-?\d+\.\d+$/.test(lat))
          .map((lat) => ({ placeName: 'Mombasa', lat })),
      ),
      lat: noDegrees(90),
      lng: noDegrees(180),
      image: noImage,
    },
  },
  {
    noun: 'blog',
    table: 'blogs',
    clauses: { create: 'S7.26', update: 'S7.27', delete: 'S7.27' },
    create: `${oms}/blog/create/`,
    update: (id) => `${oms}/blogs/${id}/update/`,
    list: `${oms}/blogs-adm/`,
    shape: Blog,
    body: { title: 'Hell’s Gate', sub_title: 'By bicycle', content: 'Day 1\n\nDay 2', image: '/files/a.jpg' },
    record: {
      title: 'Hell’s Gate',
      sub_title: 'By bicycle',
      content: 'Day 1\n\nDay 2',
      image: '/files/a.jpg',
    },
    changes: {
      title: { sent: 'Naivasha', answered: { title: 'Naivasha' } },
      sub_title: { sent: 'By boat', answered: { sub_title: 'By boat' } },
      content: { sent: '', answered: { content: '' } },
      image: { sent: 'http://files.test/b.jpg', answered: { image: 'http://files.test/b.jpg' } },
    },
    optional: ['image'],
    longest: { title: 300, sub_title: 300, content: 200_000 },
    searched: 'title',
    images: true,
    money: false,
    wrong: {
      title: noText(300),
      sub_title: noText(300),
      content: fc.constantFrom<unknown>(null, 0, false, [], {}, nul, 'x'.repeat(200_001)),
      image: noImage,
    },
  },
  {
    noun: 'coupon',
    table: 'coupons',
    clauses: { create: 'S7.29', update: 'S7.30', delete: 'S7.30' },
    create: `${oms}/coupons/create/`,
    update: (id) => `${oms}/coupons/${id}/update/`,
    list: `${oms}/coupons/`,
    shape: Coupon,
    body: { code: 'KARIBU10', valid_till: '2026-12-31', amount: 200.5 },
    record: { code: 'KARIBU10', valid_till: '2026-12-31', amount: 200.5, users: [] },
    changes: {
      code: { sent: 'SAFARI', answered: { code: 'SAFARI' } },
      valid_till: { sent: '2028-02-29', answered: { valid_till: '2028-02-29' } },
      amount: { sent: 0, answered: { amount: 0 } },
    },
    optional: [],
    longest: { code: 100 },
    searched: 'code',
    images: false,
    money: true,
    wrong: { code: noText(100), valid_till: noDate, amount: noMoney },
  },
  {
    noun: 'promo',
    table: 'promo_codes',
    clauses: { create: 'S7.32', update: 'S7.33', delete: 'S7.33' },
    create: `${oms}/promo-code/create/`,
    update: (id) => `${oms}/promo-codes/${id}/update/`,
    list: `${oms}/promo-codes/`,
    shape: PromoCode,
    body: {
      code: 'TWENDE1',
      valid_till: '2026-12-31',
      amount: 300,
      user: 11,
      promo_type: 'Internal',
      title: 'First ride',
      description: 'Welcome.\nKaribu.',
    },
    record: {
      code: 'TWENDE1',
      valid_till: '2026-12-31',
      amount: 300,
      user: { id: 11, user: { fullname: 'Otieno Odhiambo', phone_number: '254722555666' } },
      promo_type: 'Internal',
      title: 'First ride',
      description: 'Welcome.\nKaribu.',
      redemeed: false,
    },
    changes: {
      code: { sent: 'PWANI', answered: { code: 'PWANI' } },
      valid_till: { sent: '2026-01-01', answered: { valid_till: '2026-01-01' } },
      amount: { sent: 0.29, answered: { amount: 0.29 } },
      promo_type: { sent: 'External', answered: { promo_type: 'External' } },
      title: { sent: 'Coast', answered: { title: 'Coast' } },
      description: { sent: '', answered: { description: '' } },
    },
    optional: [],
    longest: { code: 100, title: 300, description: 5000 },
    searched: 'code',
    images: false,
    money: true,
    wrong: {
      code: noText(100),
      valid_till: noDate,
      amount: noMoney,
      user: fc.constantFrom<unknown>(
        null,
        '11',
        0,
        -11,
        1.5,
        4711,
        2 ** 53,
        1e19,
        1e300,
        true,
        [11],
        { id: 11 },
        '',
      ),
      promo_type: fc.constantFrom<unknown>(
        null,
        '',
        'internal',
        'EXTERNAL',
        'Both',
        'Internal ',
        1,
        true,
        [],
        {},
      ),
      title: noText(300),
      description: noText(5000),
    },
  },
]

/** What a creation of this noun sends. */
export const bodyOf = (noun: 'attraction' | 'blog' | 'promo') =>
  kinds.find((kind) => kind.noun === noun)?.body ?? {}
