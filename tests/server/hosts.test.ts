import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { isLoopback, nameOfHost } from '../../server/hosts.ts'
import { bootApp, readProblem, useServer } from '../support/server.ts'

describe('the Host header', () => {
  const server = useServer('sqlite', { scope: 'suite', config: { hosts: ['OMS.example.com', '10.0.0.5'] } })
  const status = async (host: string, url = '/api/v1/oms/analytics/') => {
    const { headers, app } = server()
    return (await app.inject({ url, headers: { ...headers, host } })).statusCode
  }

  test.each([
    'localhost',
    'localhost:4321',
    'LOCALHOST:4321',
    'localhost.:4321',
    '127.0.0.1:4321',
    '127.9.9.9',
    '[::1]:4321',
    'oms.example.com',
    'Oms.Example.Com:443',
    'oms.example.com.',
    '10.0.0.5:4321',
  ])('%s is accepted as a name of this machine or from OMS_HOSTS', async (host) => {
    expect(await status(host)).toBe(200)
  })

  test.each([
    'rebound.attacker.example',
    'rebound.attacker.example:4321',
    'localhost.attacker.example',
    'attacker.example@localhost',
    'localhost@attacker.example',
    'sub.oms.example.com',
    '127.0.0.1.attacker.example',
    '10.0.0.6',
    '[fe80::1]',
    'localhost:4321:80',
    'local host',
    '%6cocalhost',
  ])('%s is rejected, with any token and for any path', async (host) => {
    for (const url of ['/api/v1/oms/analytics/', '/api/v1/oms/nothing/', '/config.json', '/v0/b/oms/o'])
      expect(await status(host, url), url).toBe(421)
  })

  test('the error message names the setting for host names', async () => {
    const answer = await server().app.inject({ url: '/config.json', headers: { host: 'other.example' } })
    expect(readProblem(answer, 421).message).toBe(
      'The host name "other.example" is not accepted. OMS_HOSTS lists the accepted host names.',
    )
  })

  test('the health check accepts any host name', async () => {
    expect(await status('10.9.9.9:4321', '/healthz')).toBe(200)
  })

  test('X-Forwarded-Host is used only from a trusted proxy', async () => {
    const { engine, headers, clock } = server()
    const app = await bootApp(engine, {
      now: () => clock.now,
      config: { hosts: ['oms.example.com'], trustProxy: ['127.0.0.1'] },
    })
    const ask = async (remoteAddress: string, name: string) =>
      (
        await app.inject({
          url: '/api/v1/oms/analytics/',
          remoteAddress,
          headers: { ...headers, host: 'localhost:4321', 'x-forwarded-host': name },
        })
      ).statusCode
    expect(await ask('127.0.0.1', 'oms.example.com')).toBe(200)
    expect(await ask('127.0.0.1', 'rebound.example')).toBe(421)
    expect(await ask('127.0.0.2', 'rebound.example')).not.toBe(421)
    await app.close()
  })
})

describe('the Host header on a real socket', () => {
  const server = useServer('sqlite', { scope: 'suite' })
  let port = 0
  beforeAll(async () => {
    port = Number(new URL(await server().app.listen({ port: 0, host: '0.0.0.0' })).port)
  })
  const ask = async (head: string) => {
    const socket = connect(port, '127.0.0.1').setEncoding('utf8')
    let answer = ''
    socket.on('data', (text: string) => (answer += text))
    socket.write(`${head}\r\nconnection: close\r\n\r\n`)
    await once(socket, 'close')
    return Number(/^HTTP\/1\.\d (\d+)/.exec(answer)?.[1])
  }

  test('the local address of the connection is accepted as host, another address is not', async () => {
    expect(await ask(`GET /config.json HTTP/1.1\r\nhost: 127.0.0.1:${port}`)).toBe(200)
    expect(await ask('GET /config.json HTTP/1.1\r\nhost: 192.0.2.1')).toBe(421)
  })

  test('a request without Host header is rejected, except for the health check', async () => {
    expect(await ask('GET /config.json HTTP/1.0')).toBe(421)
    expect(await ask('GET /healthz HTTP/1.0')).toBe(200)
  })
})

test.each([
  ['oms.example.com:443', 'oms.example.com'],
  ['OMS.', 'oms'],
  ['[::1]:80', '::1'],
  ['', ''],
  [undefined, ''],
  ['a b', ''],
  ['a/b', ''],
  ['user@host', ''],
])('the name in the Host header %j is %j', (header, name) => {
  expect(nameOfHost(header)).toBe(name)
})

test.each([
  ['127.0.0.1', true],
  ['127.1.2.3', true],
  ['localhost', true],
  ['::1', true],
  ['0.0.0.0', false],
  ['::', false],
  ['10.0.0.1', false],
  ['192.168.1.5', false],
  ['128.0.0.1', false],
  ['127.evil.example', false],
  ['127.0.0.1.evil.example', false],
  ['localhost.evil.example', false],
  ['', false],
])('whether %j is a loopback host: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected)
})
