import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildDriver } from '../support/factories.ts'
import { useServer } from '../support/server.ts'

const origin = 'https://console.example.co.ke'
const other = 'http://localhost:5173'
const oms = '/api/v1/oms'

/** Names and values of all CORS headers. */
const corsOf = (headers: OutgoingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')))

describe('with OMS_ORIGINS', () => {
  const server = useServer('sqlite', { scope: 'suite', config: { origins: [other, origin] } })
  beforeAll(async () => {
    for (let id = 1; id <= 20; id++) await buildDriver(server().engine, { id })
  })

  const get = (url: string, headers: IncomingHttpHeaders) =>
    server().app.inject({ url, headers: { ...server().headers, ...headers } })
  const preflight = (url: string, from: string, method = 'POST') =>
    server().app.inject({
      method: 'OPTIONS',
      url,
      headers: {
        origin: from,
        'access-control-request-method': method,
        'access-control-request-headers': 'authorization,content-type,idempotency-key',
      },
    })

  test.each([`${oms}/drivers/`, `${oms}/places/?q=karen`, `${oms}/drivers-export-excel/`, '/v0/b/oms/o'])(
    '%s can be read by pages of these origins, without cookies (reliability 7)',
    async (url) => {
      for (const allowed of [origin, other]) {
        const answer = await get(url, {
          origin: allowed,
          ...(url.startsWith('/v0') && {
            authorization: server().headers.authorization.replace('Bearer', 'Firebase'),
          }),
        })
        expect(answer.statusCode).toBe(200)
        expect(answer.headers['vary']).toMatch(/\borigin\b/i)
        expect(corsOf(answer.headers)).toEqual({
          'access-control-allow-origin': allowed,
          'access-control-expose-headers': 'content-disposition, record-unchanged, retry-after',
        })
      }
    },
  )

  test.each([
    [`${oms}/drivers/`, 'GET'],
    [`${oms}/driver/1/suspend/`, 'POST'],
    [`${oms}/login/`, 'POST'],
    ['/v0/b/oms/o/files%2Fa.png', 'DELETE'],
  ])('the browser may ask before it calls %s, without a token (reliability 7)', async (url, method) => {
    const answer = await preflight(url, origin, method)
    expect(answer.statusCode).toBe(204)
    expect(answer.headers['vary']).toMatch(/\borigin\b/i)
    expect(corsOf(answer.headers)).toEqual({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': 'GET, HEAD, POST, PATCH, DELETE',
      'access-control-allow-headers': 'authorization, content-type, idempotency-key',
      'access-control-expose-headers': 'content-disposition, record-unchanged, retry-after',
      'access-control-max-age': '7200',
    })
  })

  test.each([
    [401, `${oms}/drivers/`, { authorization: 'Bearer wrong' }],
    [404, `${oms}/drivers/999`, {}],
    [400, `${oms}/drivers/?s=%00`, {}],
  ])('an answer %i can be read by them too (reliability 7)', async (status, url, headers) => {
    const answer = await get(url, { origin, ...headers })
    expect(answer.statusCode).toBe(status)
    expect(corsOf(answer.headers)).toHaveProperty('access-control-allow-origin', origin)
  })

  test.each([
    'null',
    'https://evil.test',
    'https://console.example.co.ke.evil.test',
    'https://evil-console.example.co.ke',
    'https://console.example.co.ke:8443',
    'http://console.example.co.ke',
    'https://CONSOLE.example.co.ke',
    `${origin}/`,
    `${origin}, ${other}`,
    '*',
    '',
  ])('pages of the origin "%s" can neither read nor ask (reliability 7)', async (from) => {
    const answer = await get(`${oms}/drivers/`, { origin: from })
    expect(answer.headers['vary']).toMatch(/\borigin\b/i)
    const asked = await preflight(`${oms}/driver/1/suspend/`, from)
    expect(asked.statusCode).toBe(401)
    for (const { headers } of [answer, asked]) expect(corsOf(headers)).toEqual({})
  })

  test('the probes, the configuration and other addresses are not for them (reliability 7)', async () => {
    for (const url of [
      '/config.json',
      '/healthz',
      '/livez',
      '/readyz',
      '/metrics',
      '/',
      '/apix',
      '/%61pi/v1',
    ])
      expect(corsOf((await get(url, { origin })).headers), url).toEqual({})
  })

  test('a compressed answer differs by origin and by encoding', async () => {
    const { headers } = await get(`${oms}/drivers/`, { origin, 'accept-encoding': 'gzip' })
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Origin, accept-encoding' })
  })

  test('an unknown host name is refused, whatever the origin (reliability 7)', async () => {
    const answer = await get(`${oms}/drivers/`, { origin, host: 'rebound.attacker.example' })
    expect(answer.statusCode).toBe(421)
    expect(corsOf(answer.headers)).toEqual({})
  })
})
