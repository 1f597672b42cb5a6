import { accessSync, constants, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { OperatorError } from '../operator-error.ts'
import { unfinishedEnd } from './write.ts'

const nameEnd = '.tar.gz'
const ownName = /^oms-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar\.gz$/
/** A backup that is being written changes all the time; one that has not for so long was interrupted. In milliseconds. */
const patience = 60 * 60_000

/**
 * The file of a new backup: the given one, or one with the time in its name if a folder is given. Throws OperatorError for a folder
 * that does not exist or cannot be written.
 */
export function targetOf(given: string, now: number): { file: string; folder: string | null } {
  const path = resolve(given)
  const isFile = !isFolder(path) && !given.endsWith('/')
  requireFolder(isFile ? dirname(path) : path)
  if (isFile) return { file: path, folder: null }
  const time = new Date(now)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')
  return { file: join(path, `oms-${time}${nameEnd}`), folder: path }
}

function requireFolder(folder: string): void {
  if (!isFolder(folder)) throw new OperatorError(`There is no folder ${folder}. Is its disk mounted?`)
  allowed(folder, () => accessSync(folder, constants.W_OK | constants.X_OK))
}

/** Deletes the backups in a folder except the newest `keep`, and what interrupted runs have left. Returns their names. */
export function tidyFolder(folder: string, keep: number, now: number): string[] {
  const names = readdirSync(folder).sort()
  const own = names.filter((name) => ownName.test(name))
  const stale = names.filter(
    (name) =>
      name.endsWith(unfinishedEnd) &&
      ownName.test(name.slice(0, -unfinishedEnd.length)) &&
      statSync(join(folder, name)).mtimeMs < now - patience,
  )
  const surplus = [...own.slice(0, Math.max(0, own.length - keep)), ...stale]
  for (const name of surplus) rmSync(join(folder, name), { force: true })
  return surplus
}

function isFolder(path: string): boolean {
  return allowed(path, () => statSync(path, { throwIfNoEntry: false }))?.isDirectory() ?? false
}

function allowed<Result>(path: string, look: () => Result): Result {
  try {
    return look()
  } catch (error) {
    throw new OperatorError(`No backup can be written to ${path}. ${String(error)}`)
  }
}
