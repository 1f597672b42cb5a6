import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { writeXlsxStream } from 'hucre/xlsx'

/** One column of a spreadsheet; text that a person wrote is made harmless, what we made ourselves is written as it is. */
export interface SheetColumn<Row> {
  header: string
  /** In characters. */
  width: number
  value: (row: Row) => string | number | boolean | Date | null
  format?: string
}

export const moneyFormat = '#,##0.00'
export const dateFormat = 'd mmm yyyy'

/**
 * An XLSX file as a stream of bytes, made while it is read: rows are asked for batch by batch, and between batches other
 * requests have their turn. Header row frozen, columns as wide as given.
 */
export function sheet<Row>(
  name: string,
  columns: readonly SheetColumn<Row>[],
  batches: AsyncIterable<readonly Row[]>,
): Readable {
  async function* rows() {
    for await (const batch of batches) {
      for (const row of batch) yield columns.map((column) => column.value(row))
      await setImmediate()
    }
  }
  const stream = writeXlsxStream(rows(), {
    name,
    freezePane: { rows: 1 },
    columns: columns.map(({ header, width, format }) => ({
      header,
      width,
      ...(format && { numFmt: format }),
    })),
  })
  return Readable.from(readAll(stream))
}

async function* readAll(stream: ReadableStream<Uint8Array>) {
  yield* stream
}

/** Excel's longest cell. */
const longest = 32_767

/**
 * Text of a person's as a spreadsheet may hold it: what a program could take for a formula starts with an apostrophe,
 * control characters are gone, and no more than a cell takes.
 */
export function plainText(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return safe
    .replace(/[\p{Cc}\uFFFE\uFFFF]/gu, (character) => ('\t\n'.includes(character) ? character : ''))
    .slice(0, longest)
}

/** The moment as Nairobi's clock shows it, which is what a spreadsheet without time zones should say. */
export function nairobi(time: number): Date {
  return new Date(time + 3 * 60 * 60_000)
}
