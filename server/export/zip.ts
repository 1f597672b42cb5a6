import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

interface ZipFile {
  name: string
  content: AsyncIterable<string> | Iterable<string>
}

/** Size and checksum of a file's content so far. */
interface Tally {
  crc: number
  packed: number
  size: number
}

/** How many pieces of a file may wait while the ones before them are compressed, on another thread. */
const ahead = 4

/**
 * A ZIP archive as chunks that are generated on demand. Throws a RangeError if a file or the archive exceeds 4 GiB:
 * that would need ZIP64, which Excel rejects in a streamed archive.
 */
export async function* zip(files: AsyncIterable<ZipFile>): AsyncGenerator<Buffer> {
  const directory: Buffer[] = []
  let offset = 0
  for await (const { name, content } of files) {
    const start = offset
    const tally = { crc: 0, packed: 0, size: 0 }
    for await (const piece of packed(name, content, tally)) {
      offset += piece.length
      yield piece
    }
    directory.push(entry(name, tally, start))
  }
  const whole = Buffer.concat(directory)
  yield whole
  const count = directory.length
  yield fields([0x06054b50, 4], [0, 4], [count, 2], [count, 2], [whole.length, 4], [offset, 4], [0, 2])
}

async function* packed(name: string, content: ZipFile['content'], tally: Tally) {
  yield Buffer.concat([fields([0x04034b50, 4], ...common(name, tally)), Buffer.from(name)])
  const deflater = createDeflateRaw({ level: 4, chunkSize: 65_536 })
  // An error of this stream is also thrown by the loop below.
  pipeline(Readable.from(counted(content, tally), { highWaterMark: ahead }), deflater, () => undefined)
  const pieces: AsyncIterable<Buffer> = deflater
  for await (const piece of pieces) {
    tally.packed += piece.length
    yield piece
  }
  yield fields([0x08074b50, 4], ...sums(tally))
}

async function* counted(content: ZipFile['content'], tally: Tally) {
  for await (const text of content) {
    const bytes = Buffer.from(text)
    tally.crc = crc32(bytes, tally.crc)
    tally.size += bytes.length
    yield bytes
  }
}

/** The entry of a file in the central directory at the end of the archive. The file begins at byte `start`. */
function entry(name: string, tally: Tally, start: number): Buffer {
  const attributes: Field[] = [
    [0, 6],
    [0, 4],
    [start, 4],
  ]
  return Buffer.concat([
    fields([0x02014b50, 4], [20, 2], ...common(name, tally), ...attributes),
    Buffer.from(name),
  ])
}

type Field = [value: number, bytes: number]

/** Version 2.0, checksums after the content, deflate, and the earliest possible date: 1 January 1980. */
function common(name: string, tally: Tally): Field[] {
  return [[20, 2], [8, 2], [8, 2], [0, 2], [0x21, 2], ...sums(tally), [name.length, 2], [0, 2]]
}

const sums = ({ crc, packed, size }: Tally): Field[] => [
  [crc, 4],
  [packed, 4],
  [size, 4],
]

/** Throws a RangeError if the number does not fit. */
function fields(...values: Field[]): Buffer {
  const bytes = Buffer.alloc(values.reduce((sum, [, size]) => sum + size, 0))
  let at = 0
  for (const [value, size] of values) at = bytes.writeUIntLE(value, at, size)
  return bytes
}
