import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { root } from '../server/root.ts'
import { endWithRun, inRunFolder } from '../tests/support/run-folder.ts'
import { loadAverage, machineFact } from './client/facts.ts'
import { valueOf } from './client/lists.ts'
import { tableOf, writeSection } from './results.ts'

/**
 * Loads demo data into new SQLite databases, as `npm run demo` does, and measures the time and the most memory (Linux only). With
 * `--against` it also lets the version of a commit do it, in turn, with its own command and the packages of this version. A million drivers need
 * 5 GB in the temporary folder. Writes a section of RESULTS.md. Usage, with the defaults:
 * `node bench/load.ts --drivers 1000000 --runs 2 --against ''`.
 */
const { values: options } = parseArgs({
  options: {
    drivers: { type: 'string', default: '1000000' },
    runs: { type: 'string', default: '2' },
    against: { type: 'string', default: '' },
  },
})

interface Version {
  name: string
  folder: string
  loads: Load[]
}

interface Load {
  seconds: number
  mebibytes: number | null
}

await inRunFolder(async () => {
  const began = `${new Date().toISOString().slice(0, 10)}, ${machineFact()} before`
  const versions: Version[] = [{ name: 'this version', folder: root, loads: [] }]
  if (options.against) versions.push({ name: options.against, folder: checkOut(options.against), loads: [] })
  for (let run = 0; run < Number(options.runs); run++)
    for (const { folder, loads } of versions) loads.push(await load(folder))

  const drivers = Number(options.drivers).toLocaleString('en')
  const total = (loads: Load[]) => loads.reduce((sum, { seconds }) => sum + seconds, 0)
  const lines = versions.map(({ name, loads }) => [
    name,
    loads.map(({ seconds }) => seconds.toFixed(0)).join(', '),
    loads.map(({ mebibytes }) => mebibytes?.toFixed(0) ?? '–').join(', '),
    (total(loads) / total(versions.at(-1)?.loads ?? [])).toFixed(2),
  ])
  const text = [
    `## Loading the demo data of ${drivers} drivers into SQLite`,
    'Written by `node bench/load.ts`. Each load has a new database, and the versions take turns.',
    [`${began} and ${loadAverage()} after`, `Node ${process.version}`].map((fact) => `- ${fact}`).join('\n'),
    tableOf(['version', 'time, s', 'most memory, MiB', 'share of the last version'], lines),
  ].join('\n\n')
  console.log(text)
  await writeSection(`load ${options.drivers}`, text)
})

/** The files of a commit in a new folder, with the packages of this version. */
function checkOut(commit: string): string {
  const folder = join(tmpdir(), 'version')
  mkdirSync(folder)
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}

async function load(folder: string): Promise<Load> {
  const data = mkdtempSync(join(tmpdir(), 'data-'))
  const scripts = valueOf(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')), 'scripts')
  const command = `exec env ${String(valueOf(scripts, 'demo'))} --drivers ${options.drivers}`
  const began = performance.now()
  const child = spawn('/bin/sh', ['-c', command], {
    cwd: folder,
    env: { ...process.env, OMS_DATA: data, DATABASE_URL: '' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const ended = endWithRun(child.pid)
  const watched = new AbortController()
  const memory = mostMemory(child.pid ?? 0, watched.signal)
  await once(child, 'exit')
  const seconds = (performance.now() - began) / 1000
  watched.abort()
  ended()
  if (child.exitCode !== 0) throw new Error(`The load ended with exit code ${String(child.exitCode)}.`)
  rmSync(data, { recursive: true })
  return { seconds, mebibytes: await memory }
}

/** Until the signal, the most memory that the process has had at once. */
async function mostMemory(pid: number, signal: AbortSignal): Promise<number | null> {
  let kibibytes: number | null = null
  const status = `/proc/${String(pid)}/status`
  try {
    while (!signal.aborted) {
      await setTimeout(200, null, { signal })
      if (existsSync(status))
        kibibytes = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1] ?? kibibytes)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
  return kibibytes === null ? null : kibibytes / 1024
}
