import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Builds the console if there is no build or its sources are newer. An installation without sources serves its existing build. */
export function buildConsole(root: string): void {
  const built = join(root, 'dist', 'index.html')
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  if (!existsSync(join(root, 'src')) || !existsSync(vite)) return
  if (existsSync(built) && statSync(built).mtimeMs > newest(root)) return
  console.log('Building the console …')
  const { status, stderr } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'pipe'],
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`The console could not be built.\n${stderr}`)
}

function newest(root: string): number {
  const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const files = ['index.html', 'vite.config.ts', 'package.json', 'package-lock.json'].map((name) =>
    join(root, name),
  )
  return Math.max(
    ...[...sources, ...files].filter((file) => existsSync(file)).map((file) => statSync(file).mtimeMs),
  )
}
