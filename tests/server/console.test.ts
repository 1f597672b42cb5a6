import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { AppOptions } from '../../server/app.ts'
import type { Engine } from '../../server/db/engine.ts'
import type { TypedApp } from '../../server/deps.ts'
import { openTestEngine } from '../support/engines.ts'
import { bootApp, readProblem } from '../support/server.ts'

const preload = '<link rel="modulepreload" crossorigin href="/assets/console-abc123.js">'
const page = `<!doctype html>${preload}<meta name="csp-nonce" content="{{nonce}}"><style nonce="{{nonce}}"></style>`
const script = 'console.log("Twende")\n'
const secret = 'what lies beside the console'

const root = mkdtempSync(join(tmpdir(), 'oms-console-'))
const consoleFolder = join(root, 'dist')
beforeAll(() => {
  mkdirSync(join(consoleFolder, 'assets'), { recursive: true })
  writeFileSync(join(root, 'package.json'), secret)
  writeFileSync(join(root, 'oms.db'), secret)
  writeFileSync(join(consoleFolder, 'index.html'), page)
  writeFileSync(join(consoleFolder, 'secret.txt'), secret)
  writeFileSync(join(consoleFolder, 'favicon.svg'), '<svg/>')
  writeFileSync(join(consoleFolder, 'assets', 'index-abc123.js'), script)
  for (const name of ['index-abc123.js.map', 'index-abc123.js.map.gz'])
    writeFileSync(join(consoleFolder, 'assets', name), secret)
  writeFileSync(join(consoleFolder, 'assets', 'index-abc123.js.br'), 'compressed with br')
  writeFileSync(join(consoleFolder, 'assets', 'index-abc123.js.gz'), 'compressed with gzip')
})
afterAll(() => rmSync(root, { recursive: true }))

describe('the served console', () => {
  let engine: Engine
  let app: TypedApp
  const start = async (config: Partial<AppOptions['config']> = {}) => {
    engine = await openTestEngine('sqlite')
    app = await bootApp(engine, { consoleFolder, config })
  }
  beforeEach(() => start())
  afterEach(async () => {
    await app.close()
    await engine.close()
  })

  const deepLinks = [
    '/',
    '/riders',
    '/riders/12',
    '/login',
    '/riders?page=2&s=a',
    '/nothing/here',
    '/apis',
    '/assetsx',
  ]

  test.each(deepLinks)('%s gets the page, which browsers must revalidate before use (S2.a)', async (url) => {
    const answer = await app.inject(url)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.headers['cache-control']).toBe('no-cache')
    expect(answer.body).toContain('<!doctype html>')
    expect(answer.body).not.toContain('{{nonce}}')
  })

  test.each(['/login', '/login/', '/Login?next=1'])(
    'the page of %s does not load the code of the console at once',
    async (url) => {
      const login = (await app.inject(url)).body
      expect(login).not.toContain('modulepreload')
      expect(login).toContain('csp-nonce')
      expect((await app.inject('/')).body).toContain(preload)
    },
  )

  const api = 'https://api.example.com:8443'
  const storage = 'https://firebasestorage.googleapis.com'
  const firebase = { storageBucket: 'oms.firebasestorage.app' }
  const maps = 'https://maps.googleapis.com'
  const places = 'https://places.googleapis.com'
  const tiles = 'https://maps.gstatic.com'

  test.each([
    { with: 'nothing', config: {}, connect: '', img: '' },
    { with: 'an API host', config: { apiHost: api }, connect: ` ${api}`, img: ` ${api}` },
    { with: 'Firebase', config: { firebase }, connect: ` ${storage}`, img: ` ${storage}` },
    {
      with: 'Google Maps',
      config: { mapsKey: 'key' },
      connect: ` ${maps} ${places}`,
      img: ` ${maps} ${tiles}`,
      script: ` ${maps}`,
      style: ' https://fonts.googleapis.com',
      font: ' https://fonts.gstatic.com',
    },
    {
      with: 'all of it',
      config: { apiHost: api, firebase, mapsKey: 'key' },
      connect: ` ${api} ${storage} ${maps} ${places}`,
      img: ` ${api} ${storage} ${maps} ${tiles}`,
      script: ` ${maps}`,
      style: ' https://fonts.googleapis.com',
      font: ' https://fonts.gstatic.com',
    },
  ])(
    'with $with configured the page can load only from its own server and those hosts (reliability 8)',
    async ({ config, connect, img, script = '', style = '', font = '' }) => {
      await app.close()
      await engine.close()
      await start(config)
      const { headers } = await app.inject('/')
      expect(String(headers['content-security-policy']).replace(/nonce-[\w+/=]+/, 'nonce-…')).toBe(
        [
          "default-src 'self'",
          `script-src 'self'${script}`,
          `style-src 'self' 'nonce-…'${style}`,
          "style-src-attr 'unsafe-inline'",
          `font-src 'self'${font}`,
          `connect-src 'self'${connect}`,
          `img-src 'self' blob: data:${img}`,
          "object-src 'none'",
          "base-uri 'none'",
          "frame-ancestors 'none'",
          "form-action 'self'",
        ].join(';'),
      )
    },
  )

  test('with another API host configured, the calls of this server get 401 and the page is served', async () => {
    await app.close()
    await engine.close()
    await start({ apiHost: 'https://api.example.com' })
    for (const url of ['/api/v1/oms/drivers/', '/api/v1/oms/analytics/', '/api/v1/oms/capabilities/'])
      expect((await app.inject(url)).statusCode).toBe(401)
    const login = {
      method: 'POST',
      url: '/api/v1/oms/login/',
      payload: { email: 'a@b.test', password: 'x' },
    } as const
    expect((await app.inject(login)).statusCode).toBe(401)
    expect((await app.inject('/')).statusCode).toBe(200)
  })

  test('every page has a new nonce, the same in its CSP header and its HTML (reliability 8)', async () => {
    const seen = new Set<string>()
    for (let visit = 0; visit < 5; visit++) {
      const answer = await app.inject('/')
      const nonce = /'nonce-([^']+)'/.exec(String(answer.headers['content-security-policy']))?.[1] ?? ''
      expect(Buffer.from(nonce, 'base64').length).toBeGreaterThanOrEqual(16)
      expect(answer.body).toBe(page.replaceAll('{{nonce}}', nonce))
      seen.add(nonce)
    }
    expect(seen.size).toBe(5)
  })

  test.each([
    '/',
    '/assets/index-abc123.js',
    '/favicon.svg',
    '/config.json',
    '/healthz',
    '/api/v1/oms/drivers/',
    '/assets/none.js',
  ])(
    '%s has the headers against content sniffing, referrer leaks and framing (reliability 8)',
    async (url) => {
      const { headers } = await app.inject(url)
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'x-frame-options': 'DENY',
      })
      expect(headers['content-security-policy']).toContain("script-src 'self';")
      expect(headers).not.toHaveProperty('x-powered-by')
      expect(headers).not.toHaveProperty('strict-transport-security')
    },
  )

  test('an address that cannot be decoded or is too long gets the headers too (reliability 8)', async () => {
    for (const url of ['/riders/%', `/riders/${'a'.repeat(1100)}/b`, '/api/v1/oms/drivers/%zz']) {
      const { statusCode, headers } = await app.inject(url)
      expect([200, 404]).toContain(statusCode)
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
      })
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    }
  })

  test('HSTS is sent if a trusted proxy says that the client uses TLS, and never otherwise (reliability 8)', async () => {
    const hsts = async (remoteAddress: string) => {
      const answer = await app.inject({ url: '/', remoteAddress, headers: { 'x-forwarded-proto': 'https' } })
      return answer.headers['strict-transport-security']
    }
    expect(await hsts('127.0.0.1')).toBeUndefined()
    await app.close()
    await engine.close()
    await start({ trustProxy: ['127.0.0.1'] })
    expect(await hsts('127.0.0.1')).toBe('max-age=31536000')
    expect(await hsts('10.0.0.9')).toBeUndefined()
    expect((await app.inject('/')).headers).not.toHaveProperty('strict-transport-security')
  })

  test('a file of the build may be cached forever, because its name contains a hash', async () => {
    const answer = await app.inject('/assets/index-abc123.js')
    expect([answer.statusCode, answer.body]).toEqual([200, script])
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(answer.headers['content-type']).toMatch(/javascript/)
  })

  test.each([
    ['br, gzip', 'br'],
    ['gzip', 'gzip'],
    ['deflate', undefined],
  ])(
    'a client that accepts %s gets the file of the build that was compressed so: %s',
    async (accepted, encoding) => {
      const answer = await app.inject({
        url: '/assets/index-abc123.js',
        headers: { 'accept-encoding': accepted },
      })
      expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([200, encoding])
      expect(answer.headers['content-type']).toMatch(/javascript/)
      expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect(answer.headers['vary']).toBe('accept-encoding')
      expect(answer.body).toBe(encoding === undefined ? script : `compressed with ${encoding}`)
    },
  )

  test('the icon may be cached for a day', async () => {
    const answer = await app.inject('/favicon.svg')
    expect([answer.statusCode, answer.headers['cache-control']]).toEqual([200, 'public, max-age=86400'])
    expect(answer.headers['content-type']).toBe('image/svg+xml')
  })

  test.each([
    ...['/assets/none.js', '/assets/none.css', '/assets/', '/assets', '/assets/index-abc123.js/x'],
    ...[
      '/health',
      '/Health/',
      '/healthcheck',
      '/health/live',
      '/ready',
      '/livez/x',
      '/metricsz',
      '/ping',
      '/status',
    ],
    ...['/assets/index-abc123.js.map', '/assets/index-abc123.js.map.gz'],
    ...['/favicon.ico', '/robots.txt', '/.env'],
  ])('%s gets 404, not the page (reliability 22)', async (url) => {
    readProblem(await app.inject(url), 404)
  })

  test.each([
    '/assets/../secret.txt',
    '/assets/../../package.json',
    '/assets/..%2fsecret.txt',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e/secret.txt',
    '/assets/%2e%2e%2f%2e%2e%2foms.db',
    '/assets/..%5c..%5cpackage.json',
    '/assets/%252e%252e%252fsecret.txt',
    '/assets/....//secret.txt',
    '/assets//../secret.txt',
    '/assets/index-abc123.js%00.txt',
    '/assets/%2fetc%2fpasswd',
    '/assets//etc/passwd',
    '/../package.json',
    '/..%2fpackage.json',
    '/secret.txt',
    '/favicon.svg/../secret.txt',
  ])('%s gives no access to files outside the build (reliability 11)', async (url) => {
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await app.inject({ method, url })
      expect(answer.body).not.toContain(secret)
      expect(answer.body).not.toContain('root:')
      expect(answer.statusCode).toBeLessThan(500)
      if (url.startsWith('/assets/') && answer.statusCode === 200)
        expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    }
  })

  test('files and the page can be requested only with GET and HEAD', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const)
      for (const url of ['/', '/assets/index-abc123.js', '/riders'])
        expect((await app.inject({ method, url })).statusCode).toBe(401)
  })
})
