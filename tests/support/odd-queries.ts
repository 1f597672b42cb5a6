import fc from 'fast-check'

/** Query strings with valid and invalid page numbers, and the expected page, of three (reliability 27). */
export const oddPages: [query: string, page: number][] = [
  ['', 1],
  ['page=', 1],
  ['page=%20', 1],
  ['page=0', 1],
  ['page=-1', 1],
  ['page=-1e9', 1],
  ['page=-Infinity', 1],
  ['page=NaN', 1],
  ['page=abc', 1],
  ['page=2abc', 1],
  ['page=null', 1],
  ['page=%00', 1],
  ['page=true', 1],
  ['page=1.5', 1],
  ['page=2.9', 2],
  ['page=%202%20', 2],
  ['page=2', 2],
  ['page=3', 3],
  ['page=4', 3],
  ['page=1e9', 3],
  ['page=1e400', 3],
  ['page=Infinity', 3],
  ['page=99999999999999999999999', 3],
  ['page=1&page=2', 2],
  ['page=3&page=junk', 1],
  ['page=1&page=2&page=3', 3],
  ['page[]=2', 1],
  ['page[a]=2', 1],
  ['PAGE=2', 1],
]

/** Query strings with valid and invalid page sizes, and the expected number of rows, of 120 (reliability 27). */
export const oddSizes: [query: string, rows: number][] = [
  ['page_size=0', 1],
  ['page_size=-5', 1],
  ['page_size=1', 1],
  ['page_size=7.9', 7],
  ['page_size=100', 100],
  ['page_size=1000', 120],
  ['page_size=1001', 120],
  ['page_size=1e12', 120],
  ['page_size=Infinity', 120],
  ['page_size=junk', 50],
  ['page_size=', 50],
  ['page_size=10&page_size=20', 20],
]

const parameter = fc.constantFrom(
  ...[
    'page',
    'page_size',
    's',
    'phone',
    'name',
    'q',
    'ordering',
    'page[]',
    '__proto__',
    'constructor',
    'x',
    '',
  ],
)
const nasty = fc.constantFrom(
  ...['0', '-1', '1e9', 'NaN', '1.5', '', ' ', '%00', 'a%00', '%', '%25', '%zz', '%F0%9F', '_', '\\'],
  ...["'", '"', '"; --', '[]', '{}', 'null', 'true', '🚕'.repeat(99), '‮مرحبا', 'é́', '-', 'a'.repeat(10_000)],
  ...['id', '-fullname', '-__proto__', '254', '+254 7', '9'.repeat(400)],
)
const value = fc.oneof(
  nasty,
  fc.string({ unit: 'binary', maxLength: 30 }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.integer().map(String),
  fc.double().map(String),
)

/** Random query strings for a list. */
export const anyQuery = fc
  .array(fc.tuple(parameter, value), { maxLength: 6 })
  .map((pairs) => pairs.map(([key, text]) => `${key}=${text}`).join('&'))
