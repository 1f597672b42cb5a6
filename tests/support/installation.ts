import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { productionPackages } from './packages.ts'
import { compileCache, endWithRun } from './run-folder.ts'

const repository = join(import.meta.dirname, '..', '..')

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface RunningServer {
  url: string
  pid: number
  output: () => string
  /** Sends a signal and resolves to the exit code, signal and output of the process. */
  end: (signal: NodeJS.Signals) => Promise<Ended>
  signal: (signal: NodeJS.Signals) => void
  ended: Promise<Ended>
}

export interface Installation {
  /** The folder of the program. */
  code: string
  /** A new path for a data folder. */
  newFolder: () => string
  /** Runs one of the server's programs until it exits. `shell` is a command that runs before, as in `start`. */
  run: (args: string[], env: Record<string, string>, input?: string, shell?: string) => Promise<Ended>
  /** Starts the server on a free port and waits until it prints its address. */
  start: (env: Record<string, string>, shell?: string) => Promise<RunningServer>
  /** Kills all processes that are still running and deletes all files. */
  remove: () => Promise<void>
}

/**
 * A copy of the server in its own folder, with a dummy page as console, so that no build is needed. Its packages are those
 * of this repository, or with `production` those that `npm ci --omit=dev` installs, without a built server.
 */
export function install({ production = false } = {}): Installation {
  const root = mkdtempSync(join(tmpdir(), 'oms-installed-'))
  const code = join(root, 'code')
  // The built server is used if it is newer than the sources.
  for (const path of [
    'server',
    'src/api/contract.ts',
    'package.json',
    ...(production ? [] : ['dist-server']),
  ])
    if (existsSync(join(repository, path)))
      cpSync(join(repository, path), join(code, path), { recursive: true, preserveTimestamps: true })
  const outermost = (path: string) => path.lastIndexOf('node_modules/') === 0
  const packages = productionPackages()
    .map(({ path }) => path)
    .filter(outermost)
  for (const path of production ? packages : ['node_modules']) {
    mkdirSync(dirname(join(code, path)), { recursive: true })
    symlinkSync(join(repository, path), join(code, path))
  }
  mkdirSync(join(code, 'dist', 'assets'), { recursive: true })
  writeFileSync(join(code, 'dist', 'index.html'), '<!doctype html><title>Twende OMS</title>')
  const later = Date.now() / 1000 + 3600
  utimesSync(join(code, 'dist', 'index.html'), later, later)

  const children = new Set<ChildProcess>()
  const launch = (args: string[], env: Record<string, string>, shell = ':') => {
    const child = spawn('/bin/sh', ['-c', `${shell}; exec "$0" "$@"`, process.execPath, ...args], {
      cwd: code,
      env: {
        PATH: process.env['PATH'],
        ...compileCache(),
        NO_COLOR: '1',
        OMS_DEMO: 'off',
        PORT: '0',
        // A linked package must not find the packages beside its original.
        ...(production && { NODE_OPTIONS: '--preserve-symlinks --preserve-symlinks-main' }),
        ...env,
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    children.add(child)
    const forget = endWithRun(child.pid)
    const out = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out.stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (out.stderr += text))
    child.stdin.on('error', () => undefined)
    const ended = once(child, 'close').then((): Ended => {
      children.delete(child)
      forget()
      return { code: child.exitCode, signal: child.signalCode, ...out }
    })
    return { child, out, ended }
  }

  return {
    code,
    newFolder: () => mkdtempSync(join(root, 'data-')),
    run: (args, env, input = '', shell) => {
      const { child, ended } = launch(args, env, shell)
      child.stdin.end(input)
      return ended
    },
    start: async (env, shell) => {
      const { child, out, ended } = launch(['server/main.ts'], env, shell)
      const url = await untilReady(out, child)
      return {
        url,
        pid: child.pid ?? 0,
        output: () => out.stdout + out.stderr,
        end: (signal) => {
          child.kill(signal)
          return ended
        },
        signal: (signal) => {
          child.kill(signal)
        },
        ended,
      }
    },
    remove: async () => {
      for (const child of children) {
        const closed = once(child, 'close')
        child.kill('SIGKILL')
        await closed
      }
      rmSync(root, { recursive: true })
    },
  }
}

async function untilReady(out: { stdout: string; stderr: string }, child: ChildProcess): Promise<string> {
  const deadline = Date.now() + 60_000
  for (;;) {
    const url = /is ready: (\S+)\//.exec(out.stdout)?.[1]
    if (url && out.stdout.includes('Ctrl+C')) return url
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline)
      throw new Error(`The server did not start.\n${out.stdout}${out.stderr}`)
    await wait(5)
  }
}
