import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { CellValue, Kind } from './cells.ts'
import { cellWriter } from './cells.ts'
import { fixedParts, letter, workbookParts, worksheetEnd, worksheetStart } from './parts.ts'
import { zip } from './zip.ts'

export interface SheetColumn<Row> {
  header: string
  kind: Kind
  /** In characters. */
  width: number
  value: (row: Row) => CellValue
}

/** The most rows that Excel opens in a sheet; further rows go into another sheet. */
const mostRows = 1_048_576

/**
 * An XLSX file as a stream, generated while it is read. It fetches rows in batches and yields to the event loop between
 * them. The header row is frozen and has a filter; there can be at most 26 columns.
 */
export function sheet<Row>(
  name: string,
  columns: readonly SheetColumn<Row>[],
  batches: AsyncIterable<readonly Row[]>,
  rowsPerSheet = mostRows,
): Readable {
  const writers = columns.map(({ kind, value }, at) => ({ value, write: cellWriter(letter(at), kind) }))
  const source = batches[Symbol.asyncIterator]()
  const lastRows: number[] = []
  let waiting: readonly Row[] = []

  async function* files() {
    yield* fixedParts
    do {
      yield { name: `xl/worksheets/sheet${lastRows.length + 1}.xml`, content: worksheet() }
    } while (await refill())
    yield* workbookParts(name, lastRows, columns.length)
  }

  async function* worksheet() {
    let row = 1
    yield worksheetStart(columns.map(({ width }) => width))
    yield `<row r="1">${columns.map(({ header }, at) => cellWriter(letter(at), 'header')(1, header)).join('')}</row>`
    while (row < rowsPerSheet && (await refill())) {
      const rows = waiting.slice(0, rowsPerSheet - row)
      waiting = waiting.slice(rows.length)
      let xml = ''
      for (const one of rows) {
        xml += `<row r="${++row}">`
        for (const { value, write } of writers) xml += write(row, value(one))
        xml += '</row>'
      }
      yield xml
      await setImmediate()
    }
    lastRows.push(row)
    yield worksheetEnd(row, columns.length)
  }

  /** Fetches the next batch. False if there are no more rows or the stream was closed. */
  async function refill() {
    while (waiting.length === 0 && !file.destroyed) {
      const next = await source.next()
      if (next.done) return false
      waiting = next.value
    }
    return !file.destroyed
  }

  const file = Readable.from(zip(files()), { objectMode: false, highWaterMark: 65_536 })
  return file
}
