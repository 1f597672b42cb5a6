import { styles } from './cells.ts'

/** The parts of a workbook around its rows. */

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packaged = 'http://schemas.openxmlformats.org/package/2006'
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The parts that are the same in every file. All others are worksheets, of which there can be any number. */
export const fixedParts = [
  part(
    '[Content_Types].xml',
    `<Types xmlns="${packaged}/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="${contentType}.worksheet+xml"/>
<Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/>
<Override PartName="/xl/styles.xml" ContentType="${contentType}.styles+xml"/>
</Types>`,
  ),
  part(
    '_rels/.rels',
    `<Relationships xmlns="${packaged}/relationships">
<Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/>
</Relationships>`,
  ),
  part('xl/styles.xml', styles),
]

/** A filter also needs a hidden defined name. `lastRows` has the number of the last row of each sheet. */
export function workbookParts(name: string, lastRows: readonly number[], columns: number) {
  const sheets = lastRows.map((lastRow, at) => ({ at, lastRow, title: at ? `${name} ${at + 1}` : name }))
  return [
    part(
      'xl/workbook.xml',
      `<workbook xmlns="${main}" xmlns:r="${relations}"><bookViews><workbookView/></bookViews>
<sheets>${sheets
        .map(({ at, title }) => `<sheet name="${title}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`)
        .join('')}</sheets>
<definedNames>${sheets
        .map(
          ({ at, title, lastRow }) =>
            `<definedName name="_xlnm._FilterDatabase" localSheetId="${at}" hidden="1">'${title}'!$A$1:$${letter(columns - 1)}$${lastRow}</definedName>`,
        )
        .join('')}</definedNames>
</workbook>`,
    ),
    part(
      'xl/_rels/workbook.xml.rels',
      `<Relationships xmlns="${packaged}/relationships">
<Relationship Id="rId0" Type="${relations}/styles" Target="styles.xml"/>
${sheets
  .map(
    ({ at }) =>
      `<Relationship Id="rId${at + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  )
  .join('')}
</Relationships>`,
    ),
  ]
}

/** The XML before the first row. `widths` are in characters. */
export function worksheetStart(widths: readonly number[]): string {
  return `${declaration}<worksheet xmlns="${main}">
<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>
<selection pane="bottomLeft"/></sheetView></sheetViews>
<cols>${widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`).join('')}</cols>
<sheetData>`
}

/** The XML after the last row: the filter, and an entry that suppresses the warning "number stored as text" for phone numbers. */
export function worksheetEnd(lastRow: number, columns: number): string {
  const all = `A1:${letter(columns - 1)}${lastRow}`
  return `</sheetData><autoFilter ref="${all}"/>
<ignoredErrors><ignoredError sqref="${all}" numberStoredAsText="1"/></ignoredErrors></worksheet>`
}

/** The name of a column, of which there are 26 at most. */
export const letter = (at: number) => String.fromCharCode(65 + at)

function part(name: string, xml: string) {
  return { name, content: [declaration + xml] }
}
