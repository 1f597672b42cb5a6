import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import type { KyselyPlugin } from 'kysely'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Engine } from '../../../server/db/engine.ts'
import type { TypedApp } from '../../../server/deps.ts'
import { plainText } from '../../../server/export/cells.ts'
import type { SheetColumn } from '../../../server/export/sheet.ts'
import { sheet } from '../../../server/export/sheet.ts'
import { zip } from '../../../server/export/zip.ts'
import { fold } from '../../../server/fold.ts'
import { engines, openTestEngine } from '../../support/engines.ts'
import { buildCustomer, buildDriver, buildStaff, buildVehicle } from '../../support/factories.ts'
import { bootApp, readProblem, signIn, useServer } from '../../support/server.ts'
import { elements, readWorkbook } from '../../support/xlsx.ts'

const joined = Date.UTC(2026, 1, 3, 22, 30)
const driversPath = '/api/v1/oms/drivers-export-excel/'
const customersPath = '/api/v1/oms/customers-export-excel/'

/** The time of an Excel day number, which is in Nairobi time. */
const timeOf = (days: unknown) => Math.round((Number(days) - 25_569) * 86_400_000) - 3 * 3_600_000

/** Unusual and malicious names. PostgreSQL cannot store NUL. */
const nasty = [
  ...['=HYPERLINK("http://x.test","y")', '+1+1', '-2', '@SUM(A1)', '\tTab first', '\rReturn first', '\n=1'],
  ...[
    '<b>&amp;</b> "q" \'a\' ]]>',
    'ياسمين عبد الله',
    '👩🏽‍✈️🚕',
    'é\u0301\u200D\uFEFF\u202E',
    '_x0041_',
    '_x000d_x',
  ],
  ...[
    '\u0001=1',
    '\u0085\u009F\u001B[31m',
    '\uFFFE\uFFFF',
    ' both ends ',
    'two\nlines\r\nthree',
    '00123',
    '1e5',
  ],
  ...['TRUE', '2025-01-01', '#REF!', '', ' ', 'x'.repeat(300), '🚕'.repeat(300), 'a\\b;c,d|e', '{=1}', "'"],
  ...['y'.repeat(40_000), `${'z'.repeat(32_766)}🚕`],
]
const names = [
  ...nasty,
  ...fc
    .sample(fc.string({ unit: 'binary', maxLength: 40 }), { numRuns: 2_000, seed: 7 })
    .map((text) => text.replaceAll('\0', '')),
]

/** The expected cell text for such a name (reliability 13). */
function harmless(name: string): string | null {
  const kept = [...name]
    .filter((one) => one === '\t' || one === '\n' || !/[\p{Cc}\uFFFE\uFFFF]/u.test(one))
    .join('')
  const first = kept[0] ?? ''
  const text = ('=+-@\t'.includes(first) && first ? `'${kept}` : kept).slice(0, 32_767)
  // A lone surrogate is not a character.
  return text.replace(/[\uD800-\uDBFF]$/, '\uFFFD') || null
}

describe.each(engines)('exporting on %s', (name) => {
  const server = useServer(name)
  const workbookOf = async (path: string) => {
    const response = await server().get(path)
    expect(response.statusCode).toBe(200)
    const { sheets, parts } = readWorkbook(response.rawPayload)
    const [only] = sheets
    if (!only || sheets.length > 1) throw new Error('Expected a file with one sheet.')
    return { ...only, parts, headers: response.headers }
  }

  test('drivers are exported as a spreadsheet, newest first, with numeric cells and date cells (S2.d.1, S7.9)', async () => {
    const { engine } = server()
    await buildDriver(engine, {
      id: 1,
      fullname: '=HYPERLINK("x")',
      phone_number: '254712345678',
      date_joined: joined,
      wallet_balance: 123_456,
      total_earnings: 99,
      online: 1,
      busy: 1,
    })
    await buildDriver(engine, { id: 2, fullname: 'ياسمين 🚕', phone_number: '++254', deleted: 1 })
    await buildVehicle(engine, { driver_id: 1, registration: 'KDA 001A' })
    const { name: title, rows, formats } = await workbookOf(driversPath)
    expect(title).toBe('Drivers')
    expect(rows).toHaveLength(3)
    expect(rows[0]).toEqual([
      ...['ID #', 'Name', 'Phone No', 'Date joined', 'Completed Trips', 'Failed Trips', 'Wallet(Ksh)'],
      ...['Total earnings (KSh)', 'Registration', 'Status', 'Suspended'],
    ])
    expect(rows[1]?.slice(0, 3)).toEqual([2, 'ياسمين 🚕', '+254'])
    expect(rows[1]?.slice(8)).toEqual([null, 'Offline', 'Yes'])
    // 22:30 UTC is the next day in Nairobi.
    const day = Date.UTC(2026, 1, 4, 1, 30) / 86_400_000 + 25_569
    expect(rows[2]).toEqual([
      ...[1, `'=HYPERLINK("x")`, '+254712345678', day, 0, 0, 1234.56],
      ...[0.99, 'KDA 001A', 'Online / Busy', 'No'],
    ])
    // Number format 49 is text, 4 has two decimals.
    const [text, money, date] = ['49', '4', 'd mmm yyyy']
    expect(formats[2]).toEqual(['0', text, text, date, '0', '0', money, money, text, text, text])
  })

  test('the sheet has a frozen header row, a filter over all rows and set column widths (S2.d.1)', async () => {
    await buildDriver(server().engine)
    await buildDriver(server().engine)
    const { xml, parts } = await workbookOf(driversPath)
    expect(elements(xml, 'pane')).toEqual([
      { ySplit: '1', topLeftCell: 'A2', activePane: 'bottomLeft', state: 'frozen' },
    ])
    expect(elements(xml, 'autoFilter')).toEqual([{ ref: 'A1:K3' }])
    expect(parts.get('xl/workbook.xml')).toMatch(/name="_xlnm._FilterDatabase"[^>]*>'Drivers'!\$A\$1:\$K\$3</)
    expect(elements(xml, 'col').map(({ min, max, width }) => [min, max, width])).toEqual(
      [10, 32, 16, 14, 16, 12, 14, 20, 14, 14, 11].map((width, at) => [at + 1, at + 1, width].map(String)),
    )
  })

  test('every cell has the stored value when the file is read back, also for unusual text (S7.9, S9.11, reliability 13, 28)', async () => {
    const { engine } = server()
    await insertDrivers(engine)
    const stored = await engine.db
      .selectFrom('drivers')
      .leftJoin('vehicles', 'vehicles.driver_id', 'drivers.id')
      .selectAll('drivers')
      .select('vehicles.registration')
      .orderBy('drivers.id', 'desc')
      .execute()
    const { rows } = await workbookOf(driversPath)
    expect(stored).toHaveLength(names.length)
    expect(rows.slice(1).map((row) => row.with(3, timeOf(row[3])))).toEqual(
      stored.map((driver) => [
        driver.id,
        harmless(driver.fullname),
        /^\d+$/.test(driver.phone_number) ? `+${driver.phone_number}` : harmless(driver.phone_number),
        driver.date_joined,
        driver.total_completed_trips,
        driver.total_failed_trips,
        driver.wallet_balance / 100,
        driver.total_earnings / 100,
        driver.registration && harmless(driver.registration),
        `${driver.online ? 'Online' : 'Offline'}${driver.busy ? ' / Busy' : ''}`,
        driver.deleted ? 'Yes' : 'No',
      ]),
    )
  })

  test('all customers are exported in the same way (S2.f.1, S7.10, S9.11)', async () => {
    const { engine } = server()
    for (let id = 1; id <= 403; id++) await buildCustomer(engine, { id, fullname: `Customer ${id}` })
    const { name: title, rows } = await workbookOf(customersPath)
    expect(title).toBe('Customers')
    expect(rows[0]).toHaveLength(7)
    expect(rows.slice(1).map(([id, fullname]) => [id, fullname])).toEqual(
      Array.from({ length: 403 }, (_, at) => [403 - at, `Customer ${403 - at}`]),
    )
  })

  test('an export without rows is a file with a header row (S7.9)', async () => {
    const { rows, xml } = await workbookOf(driversPath)
    expect(rows).toHaveLength(1)
    expect(elements(xml, 'autoFilter')).toEqual([{ ref: 'A1:K1' }])
  })

  test.each([
    [driversPath, 'drivers_data.xlsx'],
    [customersPath, 'customers_data.xlsx'],
  ])(
    '%s sends the file name %s, the spreadsheet type and no-store (S7.9, S7.10, S9.11)',
    async (path, file) => {
      const { headers } = await workbookOf(path)
      expect(headers).toMatchObject({
        'content-disposition': `attachment; filename="${file}"; filename*=UTF-8''${file}`,
        'content-type': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        'cache-control': 'no-store',
      })
    },
  )

  test.each([driversPath, customersPath])('%s needs a token', async (path) => {
    readProblem(await server().app.inject({ url: path }), 401)
  })
})

/** Creates one driver for each name. Every third has a vehicle, every fifth an invalid phone number. */
async function insertDrivers(engine: Engine): Promise<void> {
  const rows = names.map(
    (fullname, at) =>
      ({
        id: at + 1,
        fullname,
        search: fold(fullname),
        phone_number: at % 5 ? `2547${String(10_000_000 + at)}` : fullname.slice(0, 20),
        date_joined: joined + at * 86_399_999,
        wallet_balance: at % 2 ? at * 1_234_567 : -at,
        total_earnings: at * 101,
        total_completed_trips: at,
        total_failed_trips: 3 * at,
        online: at % 2 ? 1 : 0,
        busy: at % 3 ? 1 : 0,
        deleted: at % 7 ? 0 : 1,
      }) as const,
  )
  for (let at = 0; at < rows.length; at += 500)
    await engine.db
      .insertInto('drivers')
      .values(rows.slice(at, at + 500))
      .execute()
  for (let at = 0; at < rows.length; at += 3)
    await buildVehicle(engine, { driver_id: at + 1, registration: at % 2 ? `=K ${at}` : `KDA ${at}` })
}

describe.each(engines)('a running export on %s', (name) => {
  let engine: Engine
  let app: TypedApp
  let headers: { authorization: string }
  let url: string
  /** Called with the number of batches read so far. */
  let atBatch: (read: number) => Promise<unknown>
  let batchesRead: number
  const sockets = new Set<Socket>()

  beforeEach(async () => {
    batchesRead = 0
    atBatch = () => Promise.resolve()
    engine = await openTestEngine(name)
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (result.rows[0] && 'total_earnings' in result.rows[0]) await atBatch(++batchesRead)
        return result
      },
    }
    app = await bootApp({ ...engine, db: engine.db.withPlugin(plugin) })
    app.server.on('connection', (socket) => {
      sockets.add(socket.once('close', () => sockets.delete(socket)))
    })
    headers = await signIn(app, await buildStaff(engine))
    url = await app.listen({ port: 0 })
    for (let id = 1; id <= 700; id++) await buildDriver(engine, { id, fullname: `Driver ${id}` })
  })
  afterEach(async () => {
    await app.close()
    await engine.close()
  })

  const download = (signal: AbortSignal | null = null) => fetch(url + driversPath, { headers, signal })
  const rowsOf = async (response: Response) =>
    readWorkbook(Buffer.from(await response.arrayBuffer())).sheets[0]?.rows.slice(1) ?? []
  /** Pauses every export after its first batch, until the returned function is called. */
  const holdExports = () => {
    const gate = Promise.withResolvers<null>()
    atBatch = () => gate.promise
    return () => gate.resolve(null)
  }

  test('closes the connection when the database fails, so that the file does not look complete (S8.3)', async () => {
    atBatch = (read) => (read < 2 ? Promise.resolve() : Promise.reject(new Error('The disk has failed.')))
    const response = await download()
    expect(response.status).toBe(200)
    await expect(response.arrayBuffer()).rejects.toThrow('terminated')
    expect(batchesRead).toBe(2)
  })

  test('is one of at most two: a third gets 503 with Retry-After until one has ended (reliability 14)', async () => {
    const letGo = holdExports()
    const two = [download(), download()]
    await vi.waitUntil(() => batchesRead === 2)
    const refused = await app.inject({ url: customersPath, headers })
    expect(readProblem(refused, 503)).toEqual({ message: 'Too many exports are running. Try again later.' })
    expect(refused.headers['retry-after']).toBe('10')
    letGo()
    for (const response of two) expect(await rowsOf(await response)).toHaveLength(700)
    expect(await rowsOf(await download())).toHaveLength(700)
  })

  test('stops reading and frees its slot when the client aborts (reliability 14, 24)', async () => {
    // A whole export reads three batches.
    for (let id = 701; id <= 1300; id++) await buildDriver(engine, { id, fullname: `Driver ${id}` })
    const letGo = holdExports()
    const left = [new AbortController(), new AbortController()]
    const gone = left.map(({ signal }) => download(signal).then((response) => response.arrayBuffer()))
    await vi.waitUntil(() => batchesRead === 2)
    for (const one of left) one.abort()
    for (const result of await Promise.allSettled(gone)) expect(result.status).toBe('rejected')
    await vi.waitUntil(() => sockets.size === 0)
    letGo()
    const again = () => app.inject({ url: customersPath, headers })
    await vi.waitUntil(async () => (await again()).statusCode === 200, { timeout: 30_000 })
    expect(await rowsOf(await download())).toHaveLength(1300)
    // An aborted export asks for its second batch when the first comes, and gets it unless it is still waiting for its turn.
    expect(batchesRead).toBeLessThanOrEqual(2 * 2 + 3)
  })

  test('has a timeout of one minute for a client that reads nothing (reliability 24)', async () => {
    const letGo = holdExports()
    const client = connect(Number(new URL(url).port), new URL(url).hostname)
    client.write(
      `GET ${driversPath} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${headers.authorization}\r\n\r\n`,
    )
    await vi.waitUntil(() => batchesRead === 1)
    const [socket] = sockets
    expect(socket?.timeout).toBe(60_000)
    const closed = once(client.resume(), 'close')
    // The timeout of one minute has passed.
    socket?.setTimeout(1)
    await closed
    letGo()
    expect(await rowsOf(await download())).toHaveLength(700)
  })

  test('contains each driver once, as stored when its batch was read, despite concurrent changes', async () => {
    atBatch = async (read) => {
      if (read !== 1) return
      await buildDriver(engine, { id: 701, fullname: 'Too late' })
      await engine.db
        .updateTable('drivers')
        .set({ fullname: 'Renamed' })
        .where('id', 'in', [700, 1])
        .execute()
      await engine.db.deleteFrom('drivers').where('id', 'in', [699, 50, 2]).execute()
    }
    const rows = await rowsOf(await download())
    const ids = Array.from({ length: 700 }, (_, at) => 700 - at).filter((id) => id !== 50 && id !== 2)
    expect(rows.map(([id]) => id)).toEqual(ids)
    expect([rows.at(0)?.[1], rows.at(-1)?.[1]]).toEqual(['Driver 700', 'Renamed'])
  })
})

const numbers: SheetColumn<number>[] = [
  { header: 'Number', kind: 'number', width: 8, value: (number) => number },
]
async function* batchesOf(...batches: number[][]) {
  for (const batch of batches) yield await Promise.resolve(batch)
}

test.each([
  [[[1, 2], [], [3]], [[1, 2, 3]]],
  [
    [
      [1, 2],
      [3, 4],
    ],
    [[1, 2, 3], [4]],
  ],
  [
    [[1], [2, 3, 4, 5, 6, 7]],
    [[1, 2, 3], [4, 5, 6], [7]],
  ],
  [[], [[]]],
])(
  'rows above the limit of a sheet continue in the next sheet, without loss: %j',
  async (batches, expected) => {
    const file = await buffer(sheet('Numbers', numbers, batchesOf(...batches), 4))
    const { sheets, parts } = readWorkbook(file)
    expect(sheets.map(({ rows }) => rows)).toEqual(
      expected.map((rows) => [['Number'], ...rows.map((one) => [one])]),
    )
    expect(sheets.map((one) => one.name)).toEqual(
      ['Numbers', 'Numbers 2', 'Numbers 3'].slice(0, sheets.length),
    )
    for (const [at, { xml, rows }] of sheets.entries()) {
      expect(elements(xml, 'autoFilter')).toEqual([{ ref: `A1:A${rows.length}` }])
      expect(parts.get('xl/workbook.xml')).toContain(`localSheetId="${at}" hidden="1">'${sheets[at]?.name}'!`)
    }
  },
)

test('a file is generated no faster than the client reads it (reliability 14)', async () => {
  let asked = 0
  async function* endless() {
    for (;;) yield await Promise.resolve(Array.from({ length: 1000 }, () => asked++))
  }
  const stop = new AbortController()
  const stuck = new Writable({ write: () => undefined })
  const writing = pipeline(sheet('Numbers', numbers, endless()), stuck, { signal: stop.signal })
  for (let turn = 0; turn < 2_000; turn++) await setImmediate()
  stop.abort()
  await expect(writing).rejects.toThrow()
  expect(asked).toBeLessThan(1_000_000)
})

test('the next rows are made while those before them are compressed, and only a few of them (reliability 14)', async () => {
  let made = 0
  async function* pieces() {
    for (;;) {
      made++
      yield await Promise.resolve(randomBytes(100_000).toString('latin1'))
    }
  }
  async function* files() {
    yield await Promise.resolve({ name: 'endless', content: pieces() })
  }
  const archive = zip(files())
  await archive.next()
  // The first compressed bytes, which are of the first piece.
  await archive.next()
  expect(made).toBeGreaterThan(2)
  for (let turn = 0; turn < 200; turn++) await setImmediate()
  expect(made).toBeLessThan(10)
  await archive.return(undefined)
})

test.each([
  ['=1+1', `'=1+1`],
  ['+254', `'+254`],
  ['-x', `'-x`],
  ['@cmd', `'@cmd`],
  ['\tx', `'\tx`],
  ['\r=1', `'=1`],
  ['\u0000=1', `'=1`],
  ['Jo\u0000hn\u0007', 'John'],
  ["O'Brien", "O'Brien"],
  ['a'.repeat(40_000), 'a'.repeat(32_767)],
])('typed text cannot become a formula in a cell (reliability 13): %j', (text, expected) => {
  expect(plainText(text)).toBe(expected)
})
