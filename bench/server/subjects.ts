import type { ChildProcess } from 'node:child_process'
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import { endWithRun } from '../../tests/support/run-folder.ts'
import { logIn } from '../demo.ts'

/** A server under comparison, which has the calls of drivers. */
export interface Subject {
  title: string
  url: string
  headers: Record<string, string>
  /** Its resident memory in MB; blank where there is no /proc. */
  memory: () => string
  stop: () => void
}

const root = join(import.meta.dirname, '..', '..')

/** The product as `npm start` runs it, on the demo data that OMS_DATA or DATABASE_URL names. `ready` is the time of its start, in seconds. */
export async function startProduct(): Promise<Subject & { ready: number }> {
  const { settings, flags } = startScript()
  const started = performance.now()
  const child = spawn(process.execPath, [...flags, join(root, 'server', 'main.ts')], {
    // Tests and builds are run without the compile cache; a start without it takes half as long again, and 20 MB more.
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: undefined, ...settings, PORT: '0', OMS_DEMO: 'on' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await printed(child, /ready: (http:\/\/\S+?)\/\s/)
  const ready = (performance.now() - started) / 1000
  return {
    ready,
    title: 'product',
    url,
    headers: { authorization: `Bearer ${await logIn(url)}` },
    ...ofProcess(child),
  }
}

/** The environment and the flags with which `npm start` starts the server. */
function startScript(): { settings: NodeJS.Dict<string>; flags: string[] } {
  const text = readFileSync(join(root, 'package.json'), 'utf8')
  const [, settings, flags] = /"start": "((?:\w+=\S+ )*)node (.*)server\/main\.ts"/.exec(text) ?? []
  if (settings === undefined || flags === undefined)
    throw new Error('package.json does not say how npm start starts the server.')
  const words = (list: string) => list.split(' ').filter(Boolean)
  return { settings: parseEnv(words(settings).join('\n')), flags: words(flags) }
}

/** The limit: Node's own server, which answers everything with this text. */
export async function startBare(text: string): Promise<Subject> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'bare.ts')], {
    env: { ...process.env, BODY: text },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await printed(child, /(http:\/\/\S+)\s/)
  return { title: 'bare node:http', url, headers: {}, ...ofProcess(child) }
}

const python = '/usr/bin/python3'
const modules = 'django, rest_framework, psycopg2, openpyxl, gunicorn'

/** Why Django REST framework cannot be measured here, or null. */
export function djangoMissing(): string | null {
  if (!process.env['DATABASE_URL']) return 'Django REST framework needs PostgreSQL: DATABASE_URL.'
  return spawnSync(python, ['-c', `import ${modules}`]).status === 0
    ? null
    : 'Django REST framework is not installed. On Debian: apt install python3-django python3-djangorestframework gunicorn python3-psycopg2 python3-openpyxl'
}

/** The same calls with Django REST framework, in a process for each core. */
export async function startDjango(): Promise<Subject> {
  const port = await freePort()
  const child = spawn(
    python,
    [
      '-m',
      'gunicorn',
      // Threads, because the default class closes the connection after each answer.
      '--workers',
      '2',
      '--worker-class',
      'gthread',
      '--threads',
      '8',
      '--keep-alive',
      '75',
      '--timeout',
      '600',
      '--bind',
      `127.0.0.1:${String(port)}`,
      'wsgi:application',
    ],
    {
      cwd: join(import.meta.dirname, '..', 'peers', 'django'),
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
      stdio: ['ignore', 'inherit', 'ignore'],
    },
  )
  endWithRun(child.pid)
  const url = `http://127.0.0.1:${String(port)}`
  for (let tries = 0; tries < 100; tries++) {
    const answer = await fetch(`${url}/api/v1/oms/drivers/1`).catch(() => null)
    if (answer?.status === 200) {
      const version = spawnSync(python, [
        '-c',
        'import django, rest_framework as r; print(django.__version__, r.VERSION)',
      ])
      const [django = '', rest = ''] = String(version.stdout).trim().split(' ')
      return { title: `Django ${django}, REST framework ${rest}`, url, headers: {}, ...ofProcess(child) }
    }
    await wait(200)
  }
  throw new Error('Django REST framework did not start.')
}

function printed(child: ChildProcess, pattern: RegExp): Promise<string> {
  endWithRun(child.pid)
  let output = ''
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      output = (output + String(chunk)).slice(-10_000)
      const found = pattern.exec(output)?.[1]
      if (found) resolve(found)
    })
    child.once('exit', () => {
      reject(new Error(`The server has stopped.\n${output}`))
    })
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => {
        resolve(typeof address === 'object' ? (address?.port ?? 0) : 0)
      })
    })
  })
}

function ofProcess(child: ChildProcess): Pick<Subject, 'memory' | 'stop'> {
  const memory = () => {
    try {
      const status = readFileSync(`/proc/${String(child.pid)}/status`, 'utf8')
      return (Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024).toFixed(0)
    } catch {
      return ''
    }
  }
  return { memory, stop: () => child.kill('SIGTERM') }
}
