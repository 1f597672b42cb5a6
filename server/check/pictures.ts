import type { Engine } from '../db/engine.ts'
import { OperatorError } from '../operator-error.ts'
import { patience } from '../storage/expire.ts'
import { inspect } from '../storage/images.ts'
import { contentKey, findObject, readRecord, StoredObject } from '../storage/objects.ts'
import { referenceIn } from '../storage/references.ts'
import type { Store } from '../storage/store.ts'
import type { Finding } from './finding.ts'
import { ask } from './finding.ts'

const again = 'Upload the picture again in the console, or restore a backup that has it.'
/** As long as a damaged record is there, no picture can be stored under its name. */
const deleteFiles = (...keys: string[]) =>
  `Delete ${keys.join(' and ')} in the folder storage of OMS_DATA, or in the bucket. Then run this command again: ` +
  'it names the records that show the picture, which can be uploaded again there.'

/** The columns that can hold the address of a picture. */
const columns = [
  ...['image', 'id_front', 'id_back', 'license'].map((column) => ({ table: 'drivers', column })),
  { table: 'attractions', column: 'image' },
  { table: 'blogs', column: 'image' },
]

/** Every stored picture with its size and checksum, every picture that a record shows, and contents that belong to none. */
export async function* checkPictures(engine: Engine, store: Store): AsyncGenerator<Finding> {
  for (const { table, column } of columns) yield* checkShown(engine, store, table, column)
  const entries = await store.list('objects')
  const keys = new Set(entries.map(({ name }) => `objects/${name}`))
  const contents = new Set<string>()
  for (const { name } of entries.filter((entry) => entry.name.endsWith('.json'))) {
    const key = `objects/${name}`
    const object = await readRecord(store, key, StoredObject).catch(damaged)
    if (object === 'damaged')
      yield { what: `${key}, the record of a picture, is damaged`, todo: deleteFiles(key) }
    else if (object) {
      const content = contentKey(object.name, object.content)
      contents.add(content)
      if (
        !(await isWhole(store, content, object)) &&
        (await findObject(store, object.name))?.content === object.content
      )
        yield {
          what: `The picture ${object.name} is missing or differs from its checksum: ${content}`,
          todo: deleteFiles(key, ...(keys.has(content) ? [content] : [])),
        }
    }
  }
  for (const { name, modified } of entries.filter((entry) => !entry.name.endsWith('.json'))) {
    const key = `objects/${name}`
    // Older than the server lets it become.
    if (!contents.has(key) && modified < Date.now() - patience - 2 * 60 * 60_000)
      yield {
        what: `${key} belongs to no picture`,
        todo: 'A running server deletes such contents within an hour. If it does not, see its log for "cleanup failed".',
      }
  }
}

async function* checkShown(
  engine: Engine,
  store: Store,
  table: string,
  column: string,
): AsyncGenerator<Finding> {
  const shown = `select id, ${column} as address from ${table} where ${column} like '/v0/%'`
  for (const { id, address } of await ask<{ id: number; address: string }>(engine, shown)) {
    if (await isStored(store, address)) continue
    const [now] = await ask<{ address: string }>(engine, `${shown} and id = ${id}`)
    if (now?.address === address && !(await isStored(store, address)))
      yield { what: `The picture of ${table} ${id} is not stored: ${address}`, todo: again }
  }
}

async function isStored(store: Store, address: string): Promise<boolean> {
  const reference = referenceIn(address)
  if (!reference) return true
  const object = await findObject(store, reference.name).catch(damaged)
  return object === 'damaged' || object?.token === reference.token
}

async function isWhole(store: Store, key: string, { size, md5 }: StoredObject): Promise<boolean> {
  try {
    const found = await inspect(store.bytes(key))
    return found.size === size && found.md5 === md5
  } catch {
    return false
  }
}

/** For `catch`. A damaged record is reported once, for its file. */
function damaged(error: unknown): 'damaged' {
  if (error instanceof OperatorError) return 'damaged'
  throw error
}
