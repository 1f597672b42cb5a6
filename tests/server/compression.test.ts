import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildDriver, buildTrip } from '../support/factories.ts'
import { useServer } from '../support/server.ts'

const oms = '/api/v1/oms'

describe('answers of the server', () => {
  const server = useServer('sqlite', { scope: 'suite' })
  const get = (url: string, accepted: string) =>
    server().app.inject({ url, headers: { ...server().headers, 'accept-encoding': accepted } })
  beforeAll(async () => {
    for (let id = 1; id <= 20; id++) {
      await buildDriver(server().engine, { id, fullname: `Kamau ${String(id)}` })
      await buildTrip(server().engine, { id, driver_id: 1 })
    }
  })

  test.each([
    `${oms}/drivers/`,
    `${oms}/trips/`,
    `${oms}/drivers/1/trips/?page_size=20`,
    `${oms}/search/?q=kamau&limit=20`,
  ])('that list records are compressed for clients that accept it: %s', async (url) => {
    const plain = await get(url, 'identity')
    expect(plain.headers).not.toHaveProperty('content-encoding')
    expect(plain.rawPayload.length).toBeGreaterThan(1024)
    for (const [encoding, decompress] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const answer = await get(url, encoding)
      expect(answer.headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept-encoding' })
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(answer.headers['cache-control']).toBe('no-store')
      expect(answer.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
      expect(decompress(answer.rawPayload).equals(plain.rawPayload)).toBe(true)
    }
  })

  test.each([`${oms}/drivers/?s=nobody`, `${oms}/drivers/1`])(
    'that are short are not compressed: %s',
    async (url) => {
      expect((await get(url, 'br, gzip')).headers).not.toHaveProperty('content-encoding')
    },
  )

  test.each(['/config.json', '/api/docs/openapi.json', `${oms}/capabilities/`, `${oms}/analytics/`])(
    'that are no lists are not compressed, whatever their length: %s',
    async (url) => {
      const answer = await get(url, 'br, gzip')
      expect(answer.statusCode).toBe(200)
      expect(answer.headers).not.toHaveProperty('content-encoding')
    },
  )

  test('to a login, which have the token, are not compressed', async () => {
    const answer = await server().app.inject({
      method: 'POST',
      url: `${oms}/login/`,
      headers: { 'accept-encoding': 'br, gzip' },
      payload: { email: 'nobody@twende.test', password: 'x'.repeat(1000) },
    })
    expect(answer.headers).not.toHaveProperty('content-encoding')
  })
})
