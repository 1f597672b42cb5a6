/** A file in an archive. Its content has exactly `size` bytes. */
export interface Entry {
  name: string
  size: number
  content: AsyncIterable<Buffer> | Iterable<Buffer>
}

/** The archive is incomplete, or it is none. */
export class ArchiveError extends Error {}

const blockSize = 512
const zeros: Buffer = Buffer.alloc(blockSize)
/** The largest number in the eleven octal digits of a header: 8 GiB. */
const mostBytes = 8 ** 11 - 1
const paddingAfter = (size: number) => (blockSize - (size % blockSize)) % blockSize

/** A tar archive (POSIX ustar), which `tar` can list and unpack. Throws ArchiveError for a name or size that does not fit. */
export async function* pack(entries: AsyncIterable<Entry>): AsyncGenerator<Buffer> {
  for await (const { name, size, content } of entries) {
    yield headerOf(name, size)
    let written = 0
    for await (const piece of content) {
      written += piece.length
      yield piece
    }
    if (written !== size) throw new ArchiveError(`${name} has ${written} bytes instead of ${size}.`)
    yield zeros.subarray(0, paddingAfter(size))
  }
  yield Buffer.alloc(2 * blockSize)
}

/** Reads what `pack` has written. The next entry can be read when the content of the one before has been read. */
export async function* unpack(bytes: AsyncIterable<Buffer>): AsyncGenerator<Entry> {
  const pieces = piecesOf(bytes)
  for (;;) {
    const header = await collect(pieces(blockSize))
    if (header.equals(zeros)) break
    const name = header.toString('utf8', 0, 100).replace(/\0.*$/s, '')
    const size = parseInt(header.toString('latin1', 124, 135), 8)
    if (!header.subarray(148, 156).equals(checksumOf(header)))
      throw new ArchiveError('It is not an archive, or a part of it is damaged.')
    yield { name, size, content: pieces(size) }
    await collect(pieces(paddingAfter(size)))
  }
  await collect(pieces(blockSize))
  // Reads to the end, so that the checksum there is compared too.
  const after = pieces(Infinity, true)
  while (!(await after.next()).done);
}

export async function collect(pieces: AsyncIterable<Buffer> | Iterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const piece of pieces) parts.push(piece)
  return Buffer.concat(parts)
}

function headerOf(name: string, size: number): Buffer {
  if (Buffer.byteLength(name) > 100 || size > mostBytes)
    throw new ArchiveError(`${name} (${size} bytes) does not fit into an archive.`)
  const header = Buffer.alloc(blockSize)
  header.write(name)
  // Mode, user and group, size, time and kind of a plain file.
  header.write(`0000600\0${'0000000\0'.repeat(2)}`, 100)
  header.write(`${size.toString(8).padStart(11, '0')}\0${'0'.repeat(11)}\0`, 124)
  header.write('0', 156)
  header.write('ustar\u{0}00', 257)
  checksumOf(header).copy(header, 148)
  return header
}

/** The sum of all bytes, in which the checksum itself counts as spaces. */
function checksumOf(header: Buffer): Buffer {
  let sum = 0
  for (const [at, byte] of header.entries()) sum += at >= 148 && at < 156 ? 32 : byte
  return Buffer.from(`${sum.toString(8).padStart(6, '0')}\0 `)
}

/** Cuts a stream into parts of the given sizes, which are read one after the other. Throws ArchiveError if it ends earlier. */
function piecesOf(bytes: AsyncIterable<Buffer>) {
  const source = bytes[Symbol.asyncIterator]()
  let rest = zeros.subarray(0, 0)
  return async function* (size: number, mayEnd = false): AsyncGenerator<Buffer> {
    let left = size
    while (left > 0) {
      if (rest.length === 0) {
        const next = await source.next()
        if (next.done) {
          if (mayEnd) return
          throw new ArchiveError('It is incomplete.')
        }
        rest = next.value
      }
      const piece = rest.subarray(0, left)
      rest = rest.subarray(piece.length)
      left -= piece.length
      yield piece
    }
  }
}
