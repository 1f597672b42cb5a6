import type { Column } from './column.ts'

/** The text of a cell. */
export function textOf<T>(column: Column<T>, row: T): string {
  const content = column.copy?.(row) ?? column.cell(row)
  return typeof content === 'string' ? content : ''
}

/** For each column, the index of a row with its longest text. Wide letters count as one and a half. */
export function longestTexts<T>(columns: readonly Column<T>[], rows: readonly T[]): number[] {
  return columns.map((column) => {
    let longest = 0
    let found = 0
    rows.some((row, index) => {
      const text = textOf(column, row)
      // Most texts are shorter than the longest, even if all of their letters were wide.
      if (text.length * 1.5 <= longest) return false
      const width = text.length + text.replace(/[^A-Zmw]/g, '').length / 2
      if (width > longest) {
        longest = width
        found = index
      }
      return text.length === column.maxLength
    })
    return found
  })
}

/**
 * Rows as tab-separated lines for a spreadsheet. Text that a spreadsheet would read as a formula is made harmless, and text that
 * begins with a quote is quoted: otherwise the cells and lines up to the next quote would become one cell.
 */
export function tabSeparated<T>(columns: readonly Column<T>[], rows: readonly T[]): string {
  const copied = columns.filter(({ control, copy }) => !control || copy)
  return rows.map((row) => copied.map((column) => plain(textOf(column, row))).join('\t')).join('\n')
}

function plain(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim()
  if (line.startsWith('"')) return `"${line.replace(/"/g, '""')}"`
  return /^[=@]|^[+-](?![\d.,]+$)/.test(line) ? `'${line}` : line
}
