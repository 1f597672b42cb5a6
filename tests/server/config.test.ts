import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig, wantsDemo } from '../../server/config.ts'

const defaults = {
  port: 4321,
  host: '127.0.0.1',
  hosts: [],
  origins: [],
  trustProxy: [],
  dataFolder: resolve('./data'),
  databaseUrl: null,
  databaseReadUrl: null,
  demo: 'auto',
  product: 'twende',
  apiHost: '',
  authScheme: 'Bearer',
  logLevel: 'info',
  uploadLimit: 64 * 1024 * 1024,
  minFree: 200 * 1024 * 1024,
  metricsToken: '',
  s3: null,
  firebase: null,
  mapsKey: '',
}

test('without settings the server listens on this machine only and uses an SQLite file (S7.1)', () => {
  expect(readConfig({})).toEqual(defaults)
})

test('an empty or blank setting has its default value', () => {
  const names = ['PORT', 'HOST', 'OMS_DATA', 'DATABASE_URL', 'OMS_DEMO', 'OMS_PRODUCT', 'OMS_API_HOST']
  for (const value of ['', '   '])
    expect(
      readConfig(
        Object.fromEntries(
          [...names, 'OMS_AUTH_SCHEME', 'OMS_LOG', 'OMS_UPLOAD_LIMIT'].map((name) => [name, value]),
        ),
      ),
    ).toEqual(defaults)
})

describe('a valid value is accepted', () => {
  test.each([
    ['PORT', '0', { port: 0 }],
    ['PORT', '65535', { port: 65535 }],
    ['PORT', ' 8080 ', { port: 8080 }],
    ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
    ['OMS_HOSTS', 'oms.example.com', { hosts: ['oms.example.com'] }],
    ['OMS_HOSTS', 'oms.example.com, OMS2 10.0.0.5', { hosts: ['oms.example.com', 'OMS2', '10.0.0.5'] }],
    [
      'OMS_ORIGINS',
      'https://console.example.co.ke, http://localhost:5173',
      { origins: ['https://console.example.co.ke', 'http://localhost:5173'] },
    ],
    ['OMS_TRUST_PROXY', '127.0.0.1,::1', { trustProxy: ['127.0.0.1', '::1'] }],
    [
      'OMS_TRUST_PROXY',
      'loopback 10.0.0.0/8 fd00::/8',
      { trustProxy: ['loopback', '10.0.0.0/8', 'fd00::/8'] },
    ],
    ['OMS_DATA', '/some/folder', { dataFolder: '/some/folder' }],
    ['OMS_DATA', 'elsewhere', { dataFolder: join(process.cwd(), 'elsewhere') }],
    ['DATABASE_URL', 'postgres://u:p@h/d', { databaseUrl: 'postgres://u:p@h/d' }],
    ['DATABASE_URL', 'postgresql://h/d', { databaseUrl: 'postgresql://h/d' }],
    ['OMS_DEMO', 'on', { demo: 'on' }],
    ['OMS_DEMO', 'off', { demo: 'off' }],
    ['OMS_DEMO', 'auto', { demo: 'auto' }],
    ['OMS_PRODUCT', 'safari_cabs2', { product: 'safari_cabs2' }],
    ['OMS_API_HOST', 'https://api.example.com', { apiHost: 'https://api.example.com' }],
    ['OMS_API_HOST', 'https://api.example.com/', { apiHost: 'https://api.example.com' }],
    ['OMS_API_HOST', 'http://10.0.0.1:8000', { apiHost: 'http://10.0.0.1:8000' }],
    ['OMS_AUTH_SCHEME', 'Token', { authScheme: 'Token' }],
    ['OMS_LOG', 'silent', { logLevel: 'silent' }],
    ['OMS_LOG', 'trace', { logLevel: 'trace' }],
    ['OMS_UPLOAD_LIMIT', '1000', { uploadLimit: 1000 }],
    ['OMS_UPLOAD_LIMIT', '10 MiB', { uploadLimit: 10_485_760 }],
    ['OMS_UPLOAD_LIMIT', '2gib', { uploadLimit: 2_147_483_648 }],
    ['OMS_MIN_FREE', '1 GiB', { minFree: 1_073_741_824 }],
    ['OMS_METRICS_TOKEN', 'a-token-of-16-ch', { metricsToken: 'a-token-of-16-ch' }],
    ['OMS_FIREBASE', '{"storageBucket":"a.app"}', { firebase: { storageBucket: 'a.app' } }],
    ['OMS_MAPS_KEY', 'AIza-k_1', { mapsKey: 'AIza-k_1' }],
  ])('%s=%s', (name, value, expected) => {
    expect(readConfig({ [name]: value })).toEqual({ ...defaults, ...expected })
  })

  test('DATABASE_READ_URL beside DATABASE_URL', () => {
    const both = { DATABASE_URL: 'postgres://h/d', DATABASE_READ_URL: 'postgres://r/d' }
    expect(readConfig(both).databaseReadUrl).toBe('postgres://r/d')
  })
})

describe('an invalid value is rejected with a message that says what is valid', () => {
  test.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', 'http'],
    ['PORT', '0x50'],
    ['OMS_DEMO', 'yes'],
    ['OMS_DEMO', 'ON'],
    ['OMS_PRODUCT', 'Twende'],
    ['OMS_PRODUCT', '1st'],
    ['OMS_PRODUCT', 'two words'],
    ['OMS_PRODUCT', 'a'.repeat(32)],
    ['OMS_PRODUCT', '__proto__'],
    ['OMS_API_HOST', 'api.example.com'],
    ['OMS_API_HOST', 'ftp://api.example.com'],
    ['OMS_API_HOST', 'https://api.example.com/path'],
    ['OMS_API_HOST', "https://api.example.com; script-src 'unsafe-inline'"],
    ['OMS_API_HOST', 'https://user:secret@api.example.com'],
    ['OMS_API_HOST', 'https:'],
    ['OMS_API_HOST', 'https://*.example.com'],
    ['OMS_HOSTS', 'https://oms.example.com'],
    ['OMS_HOSTS', 'oms.example.com:443'],
    ['OMS_HOSTS', 'a/b'],
    ['OMS_ORIGINS', '*'],
    ['OMS_ORIGINS', 'null'],
    ['OMS_ORIGINS', 'console.example.co.ke'],
    ['OMS_ORIGINS', 'https://console.example.co.ke/'],
    ['OMS_ORIGINS', 'https://console.example.co.ke:443'],
    ['OMS_ORIGINS', 'https://Console.example.co.ke'],
    ['OMS_ORIGINS', 'https://*.example.co.ke'],
    ['OMS_ORIGINS', 'https://user@console.example.co.ke'],
    ['OMS_ORIGINS', 'https://console.example.co.ke ftp://console.example.co.ke'],
    ['OMS_TRUST_PROXY', 'true'],
    ['OMS_TRUST_PROXY', '1'],
    ['OMS_TRUST_PROXY', 'proxy.example.com'],
    ['OMS_TRUST_PROXY', '10.0.0.0/33'],
    ['OMS_TRUST_PROXY', '0.0.0.0/0'],
    ['OMS_TRUST_PROXY', '10.0.0.0/8/8'],
    ['OMS_AUTH_SCHEME', 'two words'],
    ['OMS_AUTH_SCHEME', 'Bearer:'],
    ['OMS_LOG', 'verbose'],
    ['OMS_UPLOAD_LIMIT', '0'],
    ['OMS_UPLOAD_LIMIT', '-1'],
    ['OMS_UPLOAD_LIMIT', '10 MB'],
    ['OMS_UPLOAD_LIMIT', 'much'],
    ['OMS_MIN_FREE', '200 MB'],
  ])('%s=%s', (name, value) => {
    const reading = () => readConfig({ [name]: value })
    expect(reading).toThrow(ConfigError)
    expect(reading).toThrow(`${name} is "${value}"; it must be `)
  })

  test.each([
    ['OMS_FIREBASE', 'secret'],
    ['OMS_FIREBASE', '["secret"]'],
    ['OMS_FIREBASE', '{"apiKey":"secret"}'],
    ['OMS_FIREBASE', '{"apiKey":"secret","storageBucket":5}'],
    ['OMS_FIREBASE', '{"apiKey":"secret","storageBucket":"a b"}'],
    ['OMS_METRICS_TOKEN', 'secret'],
    ['OMS_MAPS_KEY', "secret; script-src 'unsafe-inline'"],
  ])('%s=%s, whose value is not in the message', (name, value) => {
    const reading = () => readConfig({ [name]: value })
    expect(reading).toThrow(`${name} is "(hidden)"; it must be `)
    expect(reading).not.toThrow(/secret/)
  })

  test('DATABASE_URL, whose value is not in the message, because it can contain a password', () => {
    const reading = () => readConfig({ DATABASE_URL: 'mysql://root:secret@h/d' })
    expect(reading).toThrow(ConfigError)
    expect(reading).toThrow(/^DATABASE_URL is .*postgres:\/\//)
    expect(reading).not.toThrow(/secret/)
  })

  test.each([
    { DATABASE_READ_URL: 'postgres://u:secret@h/d' },
    { DATABASE_URL: 'postgres://h/d', DATABASE_READ_URL: 'mysql://u:secret@h/d' },
  ])('DATABASE_READ_URL without DATABASE_URL, or with another scheme: %o', (env) => {
    const reading = () => readConfig(env)
    expect(reading).toThrow(/^DATABASE_READ_URL is "\(hidden\)"; it must be the postgres:\/\/ address/)
    expect(reading).not.toThrow(/secret/)
  })
})

describe('demo data', () => {
  const wants = (env: Record<string, string>) => wantsDemo(readConfig(env))

  test('is loaded into an empty database if only this machine can connect', () => {
    expect(wants({})).toBe(true)
    expect(wants({ HOST: 'localhost' })).toBe(true)
    expect(wants({ OMS_DEMO: 'on', DATABASE_URL: 'postgres://h/d' })).toBe(true)
  })

  test.each([
    { OMS_DEMO: 'off' },
    { HOST: '0.0.0.0' },
    { DATABASE_URL: 'postgres://h/d' },
    { OMS_HOSTS: 'oms.example.com' },
    { OMS_TRUST_PROXY: '127.0.0.1' },
  ])('is not loaded into a server that other machines can use: %j', (env) => {
    expect(wants(env)).toBe(false)
  })

  test('is rejected if other machines can connect', () => {
    expect(() => wants({ OMS_DEMO: 'on', HOST: '0.0.0.0' })).toThrow('OMS_DEMO=on needs HOST=127.0.0.1')
  })
})

describe('a bucket', () => {
  const access = { OMS_S3_KEY_ID: 'oms', OMS_S3_SECRET: 'secret' }

  test.each([
    ['https://s3.example.com/pictures', 'https://s3.example.com/pictures'],
    ['https://pictures.s3.eu-west-1.amazonaws.com/', 'https://pictures.s3.eu-west-1.amazonaws.com'],
    ['http://10.0.0.5:9000/pictures', 'http://10.0.0.5:9000/pictures'],
  ])('can be at %s', (value, url) => {
    const known = { url, region: 'us-east-1', keyId: 'oms', secret: 'secret' }
    expect(readConfig({ OMS_S3_URL: value, ...access })).toEqual({ ...defaults, s3: known })
    const inCapeTown = readConfig({ OMS_S3_URL: value, OMS_S3_REGION: 'af-south-1', ...access })
    expect(inCapeTown.s3).toEqual({ ...known, region: 'af-south-1' })
  })

  test.each([
    ['OMS_S3_URL', { OMS_S3_URL: 's3://pictures' }],
    ['OMS_S3_URL', { OMS_S3_URL: 'https://s3.example.com/a/b' }],
    ['OMS_S3_URL', { OMS_S3_URL: 'https://oms:secret@s3.example.com/pictures' }],
    ['OMS_S3_URL', { OMS_S3_URL: 'https://s3.example.com/pictures?x=y' }],
    ['OMS_S3_REGION', { OMS_S3_REGION: 'eu west' }],
    ['OMS_S3_KEY_ID', { OMS_S3_KEY_ID: '' }],
    ['OMS_S3_SECRET', { OMS_S3_SECRET: '' }],
    ['OMS_S3_KEY_ID', { OMS_S3_URL: '' }],
    ['OMS_UPLOAD_LIMIT', { OMS_UPLOAD_LIMIT: '6 GiB' }],
  ])('has no valid %s in %j', (name, env) => {
    const reading = () => readConfig({ OMS_S3_URL: 'https://s3.example.com/pictures', ...access, ...env })
    expect(reading).toThrow(new RegExp(`^${name} is ".*"; it must be `))
  })
})
