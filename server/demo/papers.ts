import { portrait } from './portrait.ts'
import { hash } from './random.ts'
import { label, svg } from './svg.ts'

/** Invented identity cards and licences. They are marked SPECIMEN and have zeros in place of numbers. */
export function idFront(id: number, name: string): string {
  return card(
    '#eef3ea',
    band('IDENTITY CARD · KITAMBULISHO') +
      photo(id, 28, 104) +
      field(240, 120, 'FULL NAMES', name) +
      field(240, 190, 'DATE OF BIRTH', '00.00.0000') +
      field(430, 190, 'SEX', '–') +
      field(240, 260, 'ID NUMBER', '00000000') +
      field(430, 260, 'SERIAL NUMBER', '000000000') +
      field(240, 330, 'PLACE OF ISSUE', 'Demo data'),
  )
}

export function idBack(id: number): string {
  const bars = Array.from({ length: 90 }, (_, index) =>
    hash(id, index) % 3
      ? `<rect x="${40 + index * 6}" y="40" width="${2 + (hash(index, id) % 4)}" height="70"/>`
      : '',
  )
  const ridges = Array.from(
    { length: 6 },
    (_, index) => `<ellipse cx="540" cy="210" rx="${10 + index * 8}" ry="${14 + index * 10}"/>`,
  )
  const zone = [
    'IDXXX0000000000<<<<<<<<<<<<<<<',
    '0000000X0000000XXX<<<<<<<<<<<0',
    'SPECIMEN<<DEMO<<<<<<<<<<<<<<<<',
  ]
  return card(
    '#eef3ea',
    `<g fill="#26332c">${bars.join('')}</g>` +
      `<g fill="none" stroke="#5f7a66" stroke-width="3">${ridges.join('')}</g>` +
      field(40, 160, 'DISTRICT', 'Demo data') +
      field(40, 230, 'DATE OF ISSUE', '00.00.0000') +
      zone
        .map((line, index) => `<g letter-spacing="3">${label(40, 312 + index * 32, line, { size: 20 })}</g>`)
        .join(''),
  )
}

export function license(id: number, name: string): string {
  return card(
    '#f4ebe3',
    band('DRIVING LICENCE') +
      photo(id, 432, 104) +
      field(32, 120, 'SURNAME, OTHER NAMES', name) +
      field(32, 190, 'LICENCE NUMBER', 'XX-0000000') +
      field(260, 190, 'BLOOD GROUP', '–') +
      field(32, 260, 'VALID UNTIL', '00.00.0000') +
      field(260, 260, 'CLASSES', 'B'),
  )
}

function card(paper: string, content: string): string {
  const specimen = label(320, 230, 'SPECIMEN', { size: 104, weight: 800, fill: '#a3262b', anchor: 'middle' })
  const waves = Array.from(
    { length: 12 },
    (_, index) => `<path d="M0 ${20 + index * 34}q80-30 160 0t160 0 160 0 160 0"/>`,
  )
  return svg(
    640,
    404,
    `<rect width="640" height="404" rx="22" fill="${paper}"/>` +
      `<g fill="none" stroke="#2f6b46" stroke-opacity=".13" stroke-width="2">${waves.join('')}</g>` +
      content +
      `<g opacity=".32" transform="rotate(-18 320 202)">${specimen}</g>`,
  )
}

function band(title: string): string {
  return (
    `<path d="M22 0h596q22 0 22 22v42H0V22Q0 0 22 0z" fill="#1f2a24"/>` +
    `<rect y="64" width="640" height="6" fill="#a3262b"/><rect y="70" width="640" height="6" fill="#2f6b46"/>` +
    label(28, 42, title, { size: 24, weight: 700, fill: '#ffffff' }) +
    label(612, 42, 'SPECIMEN', { size: 20, weight: 700, fill: '#f2c9a4', anchor: 'end' })
  )
}

function photo(id: number, x: number, y: number): string {
  return `<svg x="${x}" y="${y}" width="180" height="225" viewBox="15 0 210 240" preserveAspectRatio="xMidYMid slice">${portrait(id)}</svg>`
}

/** A long text is set in two lines with smaller letters, so that it fits on the card. */
function field(x: number, y: number, title: string, text: string): string {
  const lines = text.length > 26 ? inTwo(text) : [text]
  const size = Math.max(9, Math.min(25, Math.floor(620 / Math.max(...lines.map((line) => line.length), 1))))
  return (
    label(x, y, title, { size: 13, fill: '#5b6a60' }) +
    lines.map((line, index) => label(x, y + 28 + index * (size + 3), line, { size, weight: 600 })).join('')
  )
}

/** Splits a text at the space nearest to its middle. */
function inTwo(text: string): string[] {
  const words = text.split(' ')
  const halves = words.map((_, count) => [words.slice(0, count).join(' '), words.slice(count).join(' ')])
  return halves.reduce((best, half) => (longest(half) < longest(best) ? half : best), [text])
}

const longest = (lines: string[]) => Math.max(...lines.map((line) => line.length))
