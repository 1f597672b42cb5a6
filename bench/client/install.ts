import { execFile } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { valueOf } from './lists.ts'

/** Installs the packages of a peer's folder, unless they are installed already. Throws if npm cannot. */
export async function installPackages(folder: string): Promise<void> {
  const installed = join(folder, 'node_modules', '.package-lock.json')
  const lock = join(folder, 'package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return
  try {
    await promisify(execFile)('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder })
  } catch (error) {
    const [, code = 'unknown error'] = /npm error code (\S+)/.exec(String(error)) ?? []
    throw new Error(`npm could not install it (${code})`, { cause: error })
  }
}

/** The direct dependencies of a folder with their versions and licences: `antd 5.29.3 (MIT)`. */
export function packagesOf(folder: string): string[] {
  const dependencies = valueOf(readJson(join(folder, 'package.json')), 'dependencies')
  return Object.keys(dependencies ?? {}).map((name) => {
    const manifest = readJson(join(folder, 'node_modules', name, 'package.json'))
    return `${name} ${String(valueOf(manifest, 'version'))} (${String(valueOf(manifest, 'license'))})`
  })
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}
