/** What a column holds: how its values are made safe, written and shown. */
export type Kind = 'text' | 'phone' | 'number' | 'money' | 'date'
export type CellValue = string | number | null

/** Order of the cell formats in `styles`. */
const formats = { header: 1, text: 2, phone: 2, number: 0, money: 3, date: 4 } as const

/** Writes the cells of a column as XML; nothing for a value that is none. `letter` is its name. */
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

/** Text as text, so that editing a cell makes no number or formula of it; money with cents; days as `3 Nov 2025`. */
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

/** The moment on Nairobi's clock, in days since 30 December 1899, as spreadsheets count, which know no time zones. */
export function nairobiDays(time: number): number {
  return (time + 3 * 60 * 60_000) / (24 * 60 * 60_000) + 25_569
}

/** Excel's longest cell. */
const longest = 32_767

/**
 * Text of a person's as a spreadsheet may hold it: what a program could take for a formula starts with an apostrophe,
 * control characters are gone, and no more than a cell takes.
 */
export function plainText(text: string): string {
  const clean = text.replace(/[\p{Cc}\uFFFE\uFFFF]/gu, (found) => ('\t\n'.includes(found) ? found : ''))
  return (/^[=+\-@\t]/.test(clean) ? `'${clean}` : clean).slice(0, longest)
}

/** Digits get the one `+` they go by everywhere; anything else is text like any other. */
function phoneText(text: string): string {
  const digits = /^\++(\d+)$|^(\d+)$/.exec(text)
  return digits ? `+${digits[1] ?? digits[2] ?? ''}` : plainText(text)
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** For a spreadsheet `_x0041_` is an A, unless its first character is written like that itself. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_')
    .replace(/[&<>]/g, (found) => entities[found] ?? '')
}
