import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { StoredObject } from '../storage/objects.ts'
import { allObjects, contentKey, findObject } from '../storage/objects.ts'
import type { Reference } from '../storage/references.ts'
import type { Store } from '../storage/store.ts'
import type { Entry } from './archive.ts'

/** How often a picture is looked up again that is replaced at the same moment. */
const tries = 5

/**
 * Two entries for each stored picture: its record, then its bytes. `copied` is called for each before its entries. `damaged` gets a
 * sentence for each picture that cannot be copied, and for each whose bytes have another checksum: its bytes are copied as they are.
 */
export async function* pictureEntries(
  store: Store,
  copied: (picture: StoredObject) => void,
  damaged: (sentence: string) => void,
): AsyncGenerator<Entry> {
  let number = 0
  const records = allObjects(store, ({ message }) => damaged(`A picture is not in the backup: ${message}`))
  for await (const { name } of records) {
    const found = await openPicture(store, name)
    if (found === 'damaged')
      damaged(
        `The picture ${name} is not in the backup: its file is missing or has another size than its record says.`,
      )
    if (found === 'damaged' || found === 'deleted') continue
    const { picture, bytes } = found
    const path = `pictures/${String(++number).padStart(7, '0')}`
    copied(picture)
    try {
      const record = Buffer.from(JSON.stringify(picture))
      yield { name: `${path}.json`, size: record.length, content: [record] }
      yield { name: `${path}.bytes`, size: picture.size, content: compared(picture, bytes, damaged) }
    } finally {
      bytes.destroy()
    }
  }
}

/** `damaged` if there are not as many bytes as the record says. Bytes that are being read stay readable when deleted. */
async function openPicture(
  store: Store,
  name: string,
): Promise<{ picture: StoredObject; bytes: Readable } | 'damaged' | 'deleted'> {
  for (let nth = 0; nth < tries; nth++) {
    const picture = await findObject(store, name)
    if (!picture) return 'deleted'
    const key = contentKey(name, picture.content)
    const isWhole = (await store.progress(key))?.received === picture.size
    const bytes = isWhole ? await store.read(key, { first: 0, last: picture.size - 1 }) : null
    if (bytes) return { picture, bytes }
  }
  return 'damaged'
}

/** The same bytes; `damaged` is called after the last one if their checksum is not that of the record. */
async function* compared(
  { name, md5 }: StoredObject,
  bytes: AsyncIterable<Buffer>,
  damaged: (sentence: string) => void,
): AsyncGenerator<Buffer> {
  const hash = createHash('md5')
  for await (const piece of bytes) {
    hash.update(piece)
    yield piece
  }
  if (hash.digest('base64') !== md5)
    damaged(`The picture ${name} differs from its checksum. It is in the backup as it is.`)
}

/** Of the pictures that the rows show, those that were not copied, or that had another token by then. */
export function missingOf(
  shown: ReadonlyMap<string, Reference>,
  tokens: ReadonlyMap<string, string>,
): string[] {
  return [...shown].filter(([, { name, token }]) => tokens.get(name) !== token).map(([address]) => address)
}
