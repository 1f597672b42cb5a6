import { crc32, inflateRawSync } from 'node:zlib'

/** A workbook, read by code independent of the writer. Reading throws if the archive or its XML is not valid. */
interface Workbook {
  /** Every part's XML by its name. */
  parts: Map<string, string>
  sheets: Sheet[]
}

interface Sheet {
  name: string
  xml: string
  /** The values of each row; null for a missing cell. */
  rows: (string | number | null)[][]
  /** The number format of each cell, as the styles name it. */
  formats: (string | null)[][]
}

export function readWorkbook(bytes: Buffer): Workbook {
  const parts = unzip(bytes)
  const part = (name: string) => {
    const xml = parts.get(name)
    if (xml === undefined) throw new Error(`There is no ${name}.`)
    return xml
  }
  for (const [name, xml] of parts) checkXml(name, xml)
  const formats = formatsOf(part('xl/styles.xml'))
  const targets = new Map(
    elements(part('xl/_rels/workbook.xml.rels'), 'Relationship').map(({ Id, Target }) => [Id, Target]),
  )
  const sheets = elements(part('xl/workbook.xml'), 'sheet').map((sheet) => {
    const xml = part(`xl/${targets.get(sheet['r:id']) ?? ''}`)
    return { name: sheet['name'] ?? '', xml, ...readRows(xml, formats) }
  })
  return { parts, sheets }
}

function unzip(bytes: Buffer): Map<string, string> {
  const end = bytes.length - 22
  if (bytes.readUInt32LE(end) !== 0x06054b50) throw new Error('The archive has no end record.')
  const parts = new Map<string, string>()
  let at = bytes.readUInt32LE(end + 16)
  if (at + bytes.readUInt32LE(end + 12) !== end)
    throw new Error('The central directory is not directly before the end record.')
  for (let nth = 0; nth < bytes.readUInt16LE(end + 10); nth++) {
    if (bytes.readUInt32LE(at) !== 0x02014b50)
      throw new Error('An entry of the central directory has a wrong signature.')
    const [crc, packed, size] = [16, 20, 24].map((offset) => bytes.readUInt32LE(at + offset))
    const length = bytes.readUInt16LE(at + 28)
    const name = bytes.toString('utf8', at + 46, at + 46 + length)
    const start = bytes.readUInt32LE(at + 42)
    if (bytes.readUInt32LE(start) !== 0x04034b50)
      throw new Error(`${name} has no local header at its offset.`)
    const content = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28)
    const data = inflateRawSync(bytes.subarray(content, content + (packed ?? 0)))
    if (data.length !== size || crc32(data) !== crc) throw new Error(`${name} has a wrong size or checksum.`)
    parts.set(name, new TextDecoder('utf-8', { fatal: true }).decode(data))
    at += 46 + length + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return parts
}

/** Throws unless the XML is well-formed and has legal characters only. */
function checkXml(name: string, xml: string): void {
  const token =
    /<\?xml [^?]*\?>|<\/([\w:]+)>|<([\w:]+)((?: [\w:]+="[^"<&]*")*)(\/?)>|((?:[^<&>]|&(?:amp|lt|gt);)+)/y
  const open: string[] = []
  while (token.lastIndex < xml.length) {
    const place = token.lastIndex
    const found = token.exec(xml)
    if (!found)
      throw new Error(`${name} is not well-formed at ${JSON.stringify(xml.slice(place, place + 60))}.`)
    const [, closed, opened, , single] = found
    if (opened && !single) open.push(opened)
    if (closed && open.pop() !== closed)
      throw new Error(`${name} closes ${closed}, which is not the innermost open element.`)
  }
  if (open.length > 0) throw new Error(`${name} does not close ${open.join()}.`)
  const illegal = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u.exec(xml)
  if (illegal) throw new Error(`${name} has the illegal character ${JSON.stringify(illegal[0])}.`)
}

function readRows(xml: string, formats: string[]) {
  const rows: Sheet['rows'] = []
  const shown: Sheet['formats'] = []
  for (const [, number, cells = ''] of xml.matchAll(/<row r="(\d+)">(.*?)<\/row>/gs)) {
    if (Number(number) !== rows.length + 1) throw new Error(`Row ${number ?? ''} is out of order.`)
    const values: (string | number | null)[] = []
    const forms: (string | null)[] = []
    for (const [, column = '', row, style, text, value] of cells.matchAll(
      /<c r="([A-Z])(\d+)" s="(\d+)"(?: t="inlineStr"><is><t xml:space="preserve">(.*?)<\/t><\/is>|><v>(.*?)<\/v>)<\/c>/gs,
    )) {
      if (row !== number) throw new Error(`A cell of row ${row ?? ''} is in row ${number ?? ''}.`)
      const at = column.charCodeAt(0) - 65
      values[at] = text === undefined ? Number(value) : decode(text)
      forms[at] = formats[Number(style)] ?? null
    }
    // `Array.from` also visits the holes of the arrays, which missing cells leave.
    rows.push(Array.from(values, (value) => value ?? null))
    shown.push(Array.from(forms, (format) => format ?? null))
  }
  return { rows, formats: shown }
}

/** The number format of each cell format, in order: its code, or its id if Excel has it built in. */
function formatsOf(styles: string): string[] {
  const own = new Map(elements(styles, 'numFmt').map(({ numFmtId, formatCode }) => [numFmtId, formatCode]))
  const cellFormats = /<cellXfs.*<\/cellXfs>/s.exec(styles)?.[0] ?? ''
  return elements(cellFormats, 'xf').map(({ numFmtId = '' }) => own.get(numFmtId) ?? numFmtId)
}

/** The attributes of every element of this name. */
export function elements(xml: string, name: string): Record<string, string>[] {
  return [...xml.matchAll(new RegExp(`<${name}((?: [\\w:]+="[^"]*")*)/?>`, 'g'))].map(([, attributes = '']) =>
    Object.fromEntries(
      [...attributes.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, decode(value)]),
    ),
  )
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>' }

/** Decodes XML entities, then escapes of the spreadsheet format such as `_x0041_`. */
function decode(text: string): string {
  return text
    .replace(/&(\w+);/g, (_whole, name: string) => entities[name] ?? '')
    .replace(/_x([\da-f]{4})_/gi, (_whole, code: string) => String.fromCharCode(parseInt(code, 16)))
}
