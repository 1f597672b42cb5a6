import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from './operator-error.ts'

/**
 * Builds the console if there is no build or its sources are newer. An installation without sources or without vite serves
 * its existing build. Throws OperatorError if it has none.
 */
export function buildConsole(root: string): void {
  const built = join(root, 'dist', 'index.html')
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  if (!existsSync(join(root, 'src', 'main.tsx')) || !existsSync(vite)) {
    if (existsSync(built)) return
    throw new OperatorError(
      `The console is not built: ${built} is missing. Building needs the sources and the development packages: ` +
        'npm ci && npm run build. Or copy the folder dist of the same version from another machine.',
    )
  }
  if (existsSync(built) && statSync(built).mtimeMs > newest(root)) return
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
