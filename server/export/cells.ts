import { dayLength, nairobiOffset } from '../db/hours.ts'

/** The kind of values in a column decides how they are sanitised, written and formatted. */
export type Kind = 'text' | 'phone' | 'number' | 'money' | 'date'
export type CellValue = string | number | null

/** Order of the cell formats in `styles`. */
const formats = { header: 1, text: 2, phone: 2, number: 0, money: 3, date: 4 } as const

/** Writes the cells of column `letter` as XML; an empty value has no cell. */
export function cellWriter(letter: string, kind: Kind | 'header') {
  const start = `<c r="${letter}`
  const number = `" s="${formats[kind]}"><v>`
  const text = `" s="${formats[kind]}" t="inlineStr"><is><t xml:space="preserve">`
  const safe = kind === 'phone' ? phoneText : plainText
  return (row: number, value: CellValue): string => {
    if (typeof value === 'number')
      return Number.isFinite(value) ? `${start}${row}${number}${value}</v></c>` : ''
    const shown = value === null ? '' : escaped(safe(value))
    return shown && `${start}${row}${text}${shown}</t></is></c>`
  }
}

/**
 * Text has the text format, so that editing a cell does not turn it into a number or formula. Money shows cents, dates
 * show as `3 Nov 2025`.
 */
export const styles = `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">
<numFmts count="1"><numFmt numFmtId="164" formatCode="d mmm yyyy"/></numFmts>
<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>
<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>
<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>
<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>
<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>
<cellXfs count="5">${[
  'numFmtId="0" fontId="0"',
  'numFmtId="49" fontId="1" applyFont="1"',
  'numFmtId="49" fontId="0"',
  'numFmtId="4" fontId="0"',
  'numFmtId="164" fontId="0"',
]
  .map((format) => `<xf ${format} fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`)
  .join('')}</cellXfs>
</styleSheet>`

/** The date and time in Nairobi as a spreadsheet stores it: days since 30 December 1899, without a time zone. */
export function nairobiDays(time: number): number {
  return (time + nairobiOffset) / dayLength + 25_569
}

/** The most characters that a cell of Excel can hold. */
const longest = 32_767

/** Whether text needs none of the replacements of `plainText`, as most does not. Quicker than to make them. */
const isHarmless = (text: string) => /^[a-z\d][a-z\d ,./()']*$/i.test(text) && text.length <= longest

/**
 * Makes text that a person typed safe for a spreadsheet: text that could be read as a formula gets an apostrophe in front,
 * control characters are removed, and the length is limited to that of a cell.
 */
export function plainText(text: string): string {
  if (isHarmless(text)) return text
  const clean = text.replace(/[\p{Cc}\uFFFE\uFFFF]/gu, (found) => ('\t\n'.includes(found) ? found : ''))
  return (/^[=+\-@\t]/.test(clean) ? `'${clean}` : clean).slice(0, longest)
}

/** A phone number of digits only gets one leading `+`; any other text stays as it is. */
function phoneText(text: string): string {
  const digits = /^\++(\d+)$|^(\d+)$/.exec(text)
  return digits ? `+${digits[1] ?? digits[2] ?? ''}` : plainText(text)
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Spreadsheets decode `_x0041_` as A, so an underscore that begins such a sequence is itself encoded. A lone surrogate becomes U+FFFD as UTF-8 (zip.ts). */
function escaped(text: string): string {
  if (!/[_&<>]/.test(text)) return text
  return text.replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_').replace(/[&<>]/g, (found) => entities[found] ?? '')
}
