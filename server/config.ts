import { resolve } from 'node:path'
import { isLoopback, isNetwork, nameOfHost } from './hosts.ts'
import { OperatorError } from './operator-error.ts'
import type { S3Options } from './storage/s3.ts'

export interface Config {
  port: number
  host: string
  /** Host names that the server accepts besides those of this machine. */
  hosts: string[]
  /** Origins whose pages may make calls and read the answers, besides the server's own one. */
  origins: string[]
  /** Addresses and networks of the proxies whose X-Forwarded-For header is trusted. */
  trustProxy: string[]
  dataFolder: string
  databaseUrl: string | null
  /** A replica of `databaseUrl`, for what only reads; null if there is none. */
  databaseReadUrl: string | null
  demo: 'on' | 'off' | 'auto'
  product: string
  apiHost: string
  authScheme: string
  logLevel: string
  /** Bytes of the largest stored file. */
  uploadLimit: number
  /** Bytes of the disk that uploads leave free, for logins and changes. */
  minFree: number
  /** What programs on other machines send to read `/readyz` and `/metrics`; empty if only this machine may. */
  metricsToken: string
  /** The bucket for pictures; null if they are stored in the data folder. */
  s3: S3Options | null
  /** The web configuration of the Firebase project; null if this server stores the images. */
  firebase: Record<string, string> | null
  /** The key of Google Maps; empty if places come from the gazetteer. */
  mapsKey: string
}

/** The message names the environment variable and says which values are valid. */
export class ConfigError extends OperatorError {}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** Reads all settings. Throws ConfigError for the first invalid value. */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const read = (name: string, fallback: string) => env[name]?.trim() || fallback
  const check = (name: string, value: string, good: boolean, expected: string) => {
    if (!good) throw new ConfigError(`${name} is "${value}"; it must be ${expected}.`)
    return value
  }
  const port = read('PORT', '4321')
  check('PORT', port, /^\d{1,5}$/.test(port) && Number(port) <= 65535, 'a number from 0 to 65535')
  const hosts = listOf(read('OMS_HOSTS', ''))
  check(
    'OMS_HOSTS',
    hosts.join(' '),
    hosts.every((name) => nameOfHost(name) === name.toLowerCase()),
    'host names like oms.example.com, separated by commas',
  )
  const origins = listOf(read('OMS_ORIGINS', ''))
  check(
    'OMS_ORIGINS',
    origins.join(' '),
    origins.every(isOrigin),
    'origins like https://console.example.com, without a path, separated by commas',
  )
  const trustProxy = listOf(read('OMS_TRUST_PROXY', ''))
  check(
    'OMS_TRUST_PROXY',
    trustProxy.join(' '),
    trustProxy.every(isNetwork),
    'addresses or networks like 127.0.0.1 or 10.0.0.0/8, separated by commas',
  )
  const demo = read('OMS_DEMO', 'auto')
  const databaseUrl = read('DATABASE_URL', '')
  check('DATABASE_URL', '(hidden)', /^$|^postgres(ql)?:\/\//.test(databaseUrl), 'a postgres:// address')
  const databaseReadUrl = read('DATABASE_READ_URL', '')
  check(
    'DATABASE_READ_URL',
    '(hidden)',
    databaseReadUrl === '' || (databaseUrl !== '' && /^postgres(ql)?:\/\//.test(databaseReadUrl)),
    'the postgres:// address of a replica of DATABASE_URL',
  )
  const product = read('OMS_PRODUCT', 'twende')
  check(
    'OMS_PRODUCT',
    product,
    /^(?!driver$)[a-z][a-z0-9_]{0,30}$/.test(product),
    'a lower-case word of letters, digits and _, other than driver',
  )
  const apiHost = read('OMS_API_HOST', '').replace(/\/+$/, '')
  check(
    'OMS_API_HOST',
    apiHost,
    apiHost === '' || isOrigin(apiHost),
    'an address like https://api.example.com',
  )
  const authScheme = read('OMS_AUTH_SCHEME', 'Bearer')
  check(
    'OMS_AUTH_SCHEME',
    authScheme,
    /^[A-Za-z][A-Za-z0-9-]*$/.test(authScheme),
    'one word, such as Bearer or Token',
  )
  const logLevel = read('OMS_LOG', 'info')
  check('OMS_LOG', logLevel, logLevels.includes(logLevel), `one of ${logLevels.join(', ')}`)
  const uploadLimit = bytesOf(read('OMS_UPLOAD_LIMIT', '64 MiB'))
  check(
    'OMS_UPLOAD_LIMIT',
    read('OMS_UPLOAD_LIMIT', ''),
    uploadLimit > 0 && Number.isSafeInteger(uploadLimit),
    'a size like 64 MiB or a number of bytes',
  )
  const minFree = bytesOf(read('OMS_MIN_FREE', '200 MiB'))
  check(
    'OMS_MIN_FREE',
    read('OMS_MIN_FREE', ''),
    minFree > 0 && Number.isSafeInteger(minFree),
    'a size like 200 MiB or a number of bytes',
  )
  const metricsToken = read('OMS_METRICS_TOKEN', '')
  check(
    'OMS_METRICS_TOKEN',
    '(hidden)',
    /^(\S{16,})?$/.test(metricsToken),
    'at least 16 characters without spaces',
  )
  const s3 = {
    url: read('OMS_S3_URL', '').replace(/\/$/, ''),
    region: read('OMS_S3_REGION', 'us-east-1'),
    keyId: read('OMS_S3_KEY_ID', ''),
    secret: read('OMS_S3_SECRET', ''),
  }
  check(
    'OMS_S3_URL',
    s3.url,
    s3.url === '' || isBucket(s3.url),
    'the address of a bucket like https://s3.example.com/bucket or https://bucket.s3.example.com',
  )
  check('OMS_S3_REGION', s3.region, /^[a-z0-9-]+$/.test(s3.region), 'a name like eu-west-1')
  for (const [name, value] of [
    ['OMS_S3_KEY_ID', s3.keyId],
    ['OMS_S3_SECRET', s3.secret],
  ] as const)
    check(
      name,
      value && '(hidden)',
      (s3.url === '') === (value === ''),
      'set if and only if OMS_S3_URL is set',
    )
  check(
    'OMS_UPLOAD_LIMIT',
    read('OMS_UPLOAD_LIMIT', ''),
    s3.url === '' || uploadLimit <= 5 * 1024 ** 3,
    'at most 5 GiB with OMS_S3_URL',
  )
  const firebaseText = read('OMS_FIREBASE', '')
  const firebase = firebaseText ? webConfigOf(firebaseText) : null
  check(
    'OMS_FIREBASE',
    '(hidden)',
    !firebaseText || firebase !== null,
    'the web configuration of a Firebase project as JSON, with storageBucket',
  )
  const mapsKey = read('OMS_MAPS_KEY', '')
  check(
    'OMS_MAPS_KEY',
    '(hidden)',
    /^[\w-]*$/.test(mapsKey),
    'a key of Google Maps, with only letters, digits, _ and -',
  )
  if (demo !== 'on' && demo !== 'off' && demo !== 'auto')
    throw new ConfigError(`OMS_DEMO is "${demo}"; it must be on, off or auto.`)
  return {
    port: Number(port),
    host: read('HOST', '127.0.0.1'),
    hosts,
    origins,
    trustProxy,
    dataFolder: resolve(read('OMS_DATA', './data')),
    databaseUrl: databaseUrl || null,
    databaseReadUrl: databaseReadUrl || null,
    demo,
    product,
    apiHost,
    authScheme,
    logLevel,
    uploadLimit,
    minFree,
    metricsToken,
    s3: s3.url ? s3 : null,
    firebase,
    mapsKey,
  }
}

/** Null if the text is not a Firebase configuration. */
function webConfigOf(json: string): Record<string, string> | null {
  try {
    const value: unknown = JSON.parse(json)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
    const texts: Record<string, string> = {}
    for (const [name, text] of Object.entries(value)) {
      if (typeof text !== 'string') return null
      texts[name] = text
    }
    return /^[a-z0-9._-]+$/.test(texts['storageBucket'] ?? '') ? texts : null
  } catch {
    return null
  }
}

/** Splits a setting at commas and spaces. */
const listOf = (text: string) => text.split(/[\s,]+/).filter(Boolean)

/**
 * Whether an empty database is filled with demo data: with OMS_DEMO=on, or by default in SQLite if the server listens on
 * loopback only and has neither a public host name nor a proxy. Throws ConfigError for OMS_DEMO=on on a reachable address.
 */
export function wantsDemo({ demo, databaseUrl, host, hosts, trustProxy }: Config): boolean {
  if (demo === 'on' && !isLoopback(host))
    throw new ConfigError(
      'OMS_DEMO=on needs HOST=127.0.0.1, because everybody knows the password of the demo login.',
    )
  const isPrivate = isLoopback(host) && hosts.length === 0 && trustProxy.length === 0
  return demo === 'on' || (demo === 'auto' && !databaseUrl && isPrivate)
}

/** 0 if the text is not a size. */
function bytesOf(size: string): number {
  const [, number, unit = 'b'] = /^(\d+) ?(b|kib|mib|gib)?$/.exec(size.toLowerCase()) ?? []
  return Number(number ?? 0) * 1024 ** ['b', 'kib', 'mib', 'gib'].indexOf(unit)
}

/** An origin with at most one folder. */
function isBucket(text: string): boolean {
  return (
    URL.canParse(text) && isOrigin(new URL(text).origin) && /^https?:\/\/[^/@?#]+(\/[\w.-]+)?$/.test(text)
  )
}

function isOrigin(text: string): boolean {
  // `*` is valid in a URL, but no host has it in its name.
  return /^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text
}
