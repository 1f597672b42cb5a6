import { OperatorError } from '../operator-error.ts'
import { unfinished } from './disk.ts'
import { contentKey, readRecord, StoredObject } from './objects.ts'
import type { Entry, Store } from './store.ts'
import { inTurn } from './turns.ts'
import { Upload } from './uploads.ts'

/** In milliseconds: an upload that has received nothing for so long is deleted. */
export const patience = 24 * 60 * 60_000

/**
 * Deletes abandoned uploads, files without a metadata record, and files that a crash left half written. Resolves to the
 * number of files. `failed` gets the error of each damaged record, whose files are kept.
 */
export async function expireUploads(
  store: Store,
  now: number,
  failed: (error: OperatorError) => void = raise,
): Promise<number> {
  let deleted = 0
  const skipDamaged = (error: unknown) => {
    if (!(error instanceof OperatorError)) throw error
    failed(error)
  }
  const remove = async (key: string) => {
    if (await store.remove(key)) deleted++
  }
  const isOld = ({ modified }: Pick<Entry, 'modified'>) => modified < now - patience
  for (const entry of (await store.list('uploads')).filter(isOld)) {
    const key = `uploads/${entry.name}`
    const [id = ''] = entry.name.split('.')
    await inTurn(id, async () => {
      const upload = entry.name.endsWith(unfinished) ? null : await readRecord(store, key, Upload)
      const progress = upload && (await store.progress(contentKey(upload.name, id)))
      if (!progress || isOld(progress)) await remove(key)
    }).catch(skipDamaged)
  }
  const going = new Set((await store.list('uploads')).map(({ name }) => name))
  for (const entry of (await store.list('parts')).filter(isOld))
    if (!going.has(`${entry.name.split('/')[0]}.json`)) await remove(`parts/${entry.name}`)

  const names = (await store.list('objects')).filter(isOld).map(({ name }) => name)
  const contents = Map.groupBy(
    names.filter((name) => !isRecord(name)),
    hashIn,
  )
  const records = new Set(names.filter(isRecord).map(hashIn))
  const removeUnused = async (hash: string, ofOneName: string[]) => {
    for (const name of ofOneName) {
      const [, content = ''] = name.split('.')
      if (going.has(`${content}.json`)) continue
      const record = await readRecord(store, `objects/${hash}.json`, StoredObject)
      if (name.endsWith(unfinished) || record?.content !== content) await remove(`objects/${name}`)
    }
  }
  for (const [hash, ofOneName] of contents) {
    // A single old content beside an old record belongs to it. Reading all records would take long in a bucket.
    if (ofOneName.length === 1 && records.has(hash)) continue
    await removeUnused(hash, ofOneName).catch(skipDamaged)
  }
  return deleted
}

function raise(error: OperatorError): never {
  throw error
}

const isRecord = (name: string) => /^[^.]*\.json$/.test(name)
const hashIn = (name: string) => name.split('.')[0] ?? ''
