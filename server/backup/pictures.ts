import type { Readable } from 'node:stream'
import type { StoredObject } from '../storage/objects.ts'
import { allObjects, contentKey, findObject } from '../storage/objects.ts'
import type { Reference } from '../storage/references.ts'
import type { Store } from '../storage/store.ts'
import type { Entry } from './archive.ts'

/** How often a picture is looked up again that is replaced at the same moment. */
const tries = 5

/** Two entries for each stored picture: its record, then its bytes. `copied` is called for each before its entries. */
export async function* pictureEntries(
  store: Store,
  copied: (picture: StoredObject) => void,
): AsyncGenerator<Entry> {
  let number = 0
  for await (const { name } of allObjects(store)) {
    const found = await openPicture(store, name)
    if (!found) continue
    const { picture, bytes } = found
    const path = `pictures/${String(++number).padStart(7, '0')}`
    copied(picture)
    try {
      const record = Buffer.from(JSON.stringify(picture))
      yield { name: `${path}.json`, size: record.length, content: [record] }
      yield { name: `${path}.bytes`, size: picture.size, content: bytes }
    } finally {
      bytes.destroy()
    }
  }
}

/** Null if the picture has been deleted, or if its bytes are missing. Bytes that are being read stay readable when deleted. */
async function openPicture(
  store: Store,
  name: string,
): Promise<{ picture: StoredObject; bytes: Readable } | null> {
  for (let nth = 0; nth < tries; nth++) {
    const picture = await findObject(store, name)
    if (!picture) return null
    const whole = { first: 0, last: picture.size - 1 }
    const bytes = await store.read(contentKey(name, picture.content), whole)
    if (bytes) return { picture, bytes }
  }
  return null
}

/** Of the pictures that the rows show, those that were not copied, or that had another token by then. */
export function missingOf(
  shown: ReadonlyMap<string, Reference>,
  tokens: ReadonlyMap<string, string>,
): string[] {
  return [...shown].filter(([, { name, token }]) => tokens.get(name) !== token).map(([address]) => address)
}
