import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Check } from 'typebox/schema'
import { requireKnownSchema } from '../db/migrate.ts'
import { OperatorError } from '../operator-error.ts'
import { absent, parsed } from '../storage/disk.ts'
import type { Entry } from './archive.ts'
import { ArchiveError, collect, unpack } from './archive.ts'
import type { Report } from './manifest.ts'
import { format, Manifest, manifestName } from './manifest.ts'

/**
 * Reads a whole backup and compares every entry with the manifest. Throws OperatorError if the file is missing, damaged,
 * incomplete or too new.
 */
export async function verifyBackup(file: string, report: Report): Promise<Manifest> {
  const hashes = new Map<string, string>()
  const lines = new Map<string, number>()
  let manifest: Manifest | null = null
  for await (const { name, content } of entriesOf(file, (done, total) => report(done, total, 'verifying'))) {
    if (name === manifestName) {
      manifest = parseManifest(file, await collect(content))
      continue
    }
    const [folder, table = ''] = name.split('/')
    const hash = createHash('sha256')
    let rows = 0
    for await (const piece of content) {
      hash.update(piece)
      if (folder === 'tables') rows += linesIn(piece)
    }
    hashes.set(name, hash.digest('hex'))
    if (folder === 'tables') lines.set(table, (lines.get(table) ?? 0) + rows)
  }
  if (!manifest) throw damaged(file, 'It has no manifest.')
  const names = new Set([...hashes.keys(), ...Object.keys(manifest.hashes)])
  for (const name of names)
    if (hashes.get(name) !== manifest.hashes[name]) throw damaged(file, `${name} differs from the manifest.`)
  for (const [table, rows] of Object.entries(manifest.tables))
    if ((lines.get(table) ?? 0) !== rows)
      throw damaged(file, `It has ${lines.get(table) ?? 0} instead of ${rows} rows of ${table}.`)
  return manifest
}

function linesIn(piece: Buffer): number {
  let count = 0
  for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, at + 1)) count++
  return count
}

/** The entries of a backup; `report` is called with the bytes read so far. Throws OperatorError. */
export async function* entriesOf(
  file: string,
  report: (done: number, total: number) => void,
): AsyncGenerator<Entry> {
  const size = await sizeOf(file)
  const source = createReadStream(file)
  const unzipped = createGunzip({ chunkSize: 256 * 1024 })
  // An error of these streams is also thrown by the loop below.
  pipeline(source, unzipped, () => undefined)
  const pieces: AsyncIterable<Buffer> = unzipped
  const bytes = async function* () {
    for await (const piece of pieces) {
      report(source.bytesRead, size)
      yield piece
    }
  }
  try {
    yield* unpack(bytes())
  } catch (error) {
    if (error instanceof ArchiveError) throw damaged(file, error.message)
    if (isOfZlib(error)) throw damaged(file, 'It is incomplete, or a part of it is damaged.')
    throw error
  }
}

async function sizeOf(file: string): Promise<number> {
  const found = await access(file, constants.R_OK)
    .then(() => stat(file))
    .catch(absent)
    .catch((error: unknown) => {
      throw new OperatorError(`The backup ${file} cannot be read. ${String(error)}`)
    })
  if (!found) throw new OperatorError(`There is no backup ${file}.`)
  if (found.isDirectory()) throw new OperatorError(`${file} is a folder. Name one of the backups in it.`)
  return found.size
}

const isOfZlib = (error: unknown) =>
  error instanceof Error && 'code' in error && /^Z_|^ERR_STREAM_PREMATURE/.test(String(error.code))

function parseManifest(file: string, content: Buffer): Manifest {
  const value = parsed(content.toString())
  const newer =
    typeof value === 'object' && value && 'format' in value ? Number(value.format) > format : false
  if (newer)
    throw new OperatorError(
      `${file} was written by a newer version of Twende OMS. Restore it with that version or a newer one.`,
    )
  if (!Check(Manifest, value)) throw damaged(file, 'Its manifest is invalid.')
  requireKnownSchema(file, value.schema)
  return value
}

const damaged = (file: string, why: string) =>
  new OperatorError(`${file} is not a complete backup, so it is not used. ${why} Use another backup.`)
