import { describe, expect, test } from 'vitest'
import { Places } from '../../../src/api/contract.ts'
import { engines } from '../../support/engines.ts'
import { bootApp, read, readProblem, useServer } from '../../support/server.ts'

describe.each(engines)('places on %s', (name) => {
  const server = useServer(name, { scope: 'suite' })
  const search = async (q: string) =>
    read(await server().get(`/api/v1/oms/places/?q=${encodeURIComponent(q)}`), Places).results
  const names = async (q: string) => (await search(q)).map(({ placeName }) => placeName)

  test('are found by any part of their names, beginnings first, at most eight (S7.38, S9.10)', async () => {
    const found = await names('gar')
    expect(found).toHaveLength(8)
    const rank = (place: string) =>
      place.toLowerCase().startsWith('gar') ? 0 : place.toLowerCase().includes(' gar') ? 1 : 2
    expect(found.map(rank)).toEqual(found.map(rank).toSorted())
  })

  test('are found regardless of case, accents and surrounding spaces', async () => {
    const plain = await names('giraffe')
    expect(plain).toContain('Giraffe Centre')
    expect(await names('  GIRÁFFE ')).toEqual(plain)
  })

  test('are found by their other names too', async () => {
    expect(await names('nabuyole')).toEqual(['Webuye Falls'])
  })

  test('are in Kenya, and name their source if its licence requires it', async () => {
    for (const { lat, lng, detail, credit } of await search('nairobi')) {
      expect(lat).toBeGreaterThan(-5)
      expect(lat).toBeLessThan(5.1)
      expect(lng).toBeGreaterThan(33.8)
      expect(lng).toBeLessThan(42)
      expect(detail).not.toBe('')
      expect(credit).not.toMatch(/by hand/)
    }
    expect((await search('nabuyole'))[0]?.credit).toBe('GeoNames')
  })

  test.each(['', '   ', 'no such place at all', '%', '_', '(', '\\'])('%j finds nothing', async (q) => {
    expect(await search(q)).toEqual([])
  })

  test('are not searched for a query that is too long', async () => {
    readProblem(await server().get(`/api/v1/oms/places/?q=${'x'.repeat(201)}`), 400)
  })

  test('need a token, except with another API host, whose tokens this server does not know', async () => {
    readProblem(await server().app.inject('/api/v1/oms/places/?q=nairobi'), 401)
    const elsewhere = await bootApp(server().engine, { config: { apiHost: 'https://api.example.com' } })
    read(await elsewhere.inject('/api/v1/oms/places/?q=nairobi'), Places)
    await elsewhere.close()
  })
})
