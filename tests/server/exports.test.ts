import { streamXlsxRows } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'
import { plainText } from '../../server/export/sheet.ts'
import { engines } from '../support/engines.ts'
import { buildCustomer, buildDriver, buildVehicle } from '../support/factories.ts'
import { useServer } from '../support/server.ts'

const joined = Date.UTC(2026, 1, 3, 22, 30)

describe.each(engines)('exporting on %s', (name) => {
  const server = useServer(name)
  const rowsOf = async (path: string) => {
    const response = await server().get(`/api/v1/oms/${path}`)
    expect(response.statusCode).toBe(200)
    const rows: unknown[][] = []
    for await (const { values } of streamXlsxRows(new Uint8Array(response.rawPayload))) rows.push(values)
    return { rows, headers: response.headers }
  }

  test('drivers come as a spreadsheet, newest first, with real numbers and dates (S7.9, S9.11)', async () => {
    const { engine } = server()
    await buildDriver(engine, {
      id: 1,
      fullname: '=HYPERLINK("x")',
      phone_number: '254712345678',
      date_joined: joined,
      wallet_balance: 123_456,
      online: 1,
      busy: 1,
    })
    await buildDriver(engine, { id: 2, fullname: 'ياسمين 🚕', deleted: 1 })
    await buildVehicle(engine, { driver_id: 1, registration: 'KDA 001A' })
    const { rows, headers } = await rowsOf('drivers-export-excel/')
    expect(headers['content-disposition']).toContain('filename="drivers_data.xlsx"')
    expect(headers['content-type']).toContain('spreadsheetml')
    expect(rows[0]?.slice(0, 4)).toEqual(['ID #', 'Name', 'Phone No', 'Date joined'])
    expect(rows[1]?.slice(0, 2)).toEqual([2, 'ياسمين 🚕'])
    // 22:30 UTC is the next day in Nairobi.
    expect(rows[2]?.slice(0, 3)).toEqual([1, `'=HYPERLINK("x")`, '+254712345678'])
    expect(rows[2]?.[3]).toEqual(new Date(Date.UTC(2026, 1, 4, 1, 30)))
    expect(rows[2]?.slice(6)).toEqual([1234.56, 0, 'KDA 001A', 'Online / Busy', 'No'])
    expect(rows).toHaveLength(3)
  })

  test('every customer is in the file, over all batches (S7.10, S9.11)', async () => {
    const { engine } = server()
    for (let id = 1; id <= 1203; id++) await buildCustomer(engine, { id, fullname: `Customer ${id}` })
    const { rows, headers } = await rowsOf('customers-export-excel/')
    expect(headers['content-disposition']).toContain('filename="customers_data.xlsx"')
    expect(rows.slice(1).map(([id, fullname]) => [id, fullname])).toEqual(
      Array.from({ length: 1203 }, (_, at) => [1203 - at, `Customer ${1203 - at}`]),
    )
  })

  test('an export asks for a token like every call', async () => {
    const response = await server().app.inject({ url: '/api/v1/oms/drivers-export-excel/' })
    expect(response.statusCode).toBe(401)
  })
})

test.each([
  ['=1+1', `'=1+1`],
  ['+254', `'+254`],
  ['-x', `'-x`],
  ['@cmd', `'@cmd`],
  ['\tx', `'\tx`],
  ['Jo\u0000hn\u0007', 'John'],
  ["O'Brien", "O'Brien"],
  ['a'.repeat(40_000), 'a'.repeat(32_767)],
])('text of a person is harmless in a cell (reliability 13): %j', (text, expected) => {
  expect(plainText(text)).toBe(expected)
})
