import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/** How many clauses each part of the specification has. */
const clauses = {
  ...{ S1: 1, 'S2.a': 20, 'S2.b': 5, 'S2.c': 3, 'S2.d': 5, 'S2.e': 8, 'S2.f': 3, 'S2.g': 1, 'S2.h': 3 },
  ...{ 'S2.i': 2, 'S2.j': 3, 'S2.k': 5, 'S2.l': 4, 'S2.m': 4, 'S2.n': 5, 'S2.o': 5, 'S2.p': 4, 'S2.q': 4 },
  ...{ 'S2.r': 3, 'S2.s': 2, 'S2.t': 1, 'S2.u': 5, S3: 19, S4: 11, S5: 5, S6: 1, S7: 39, S8: 14, S9: 14 },
}

/** `| S2.a.1 | what | [where](../src/…) | [proof](../tests/…) |` */
const rows = readFileSync('docs/requirements.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| S\d/.test(line))
  .map((line) => {
    const [, id = '', requirement = '', places = '', proofs = ''] = line.split('|').map((cell) => cell.trim())
    return { id, requirement, places: linksOf(places), proofs: linksOf(proofs) }
  })

describe('the requirements map', () => {
  it('has exactly the clauses of the specification, in order', () => {
    const expected = Object.entries(clauses).flatMap(([part, count]) => range(part, 1, count))
    expect(expected).toHaveLength(199)
    expect(rows.map(({ id }) => id)).toEqual(expected)
  })

  it('has for each clause a requirement, the files that implement it and a test', () => {
    const gaps = rows.filter(
      ({ requirement, places, proofs }) =>
        !requirement ||
        !isAll(places, /^(src|server)\/.+\.(tsx?|css)$/) ||
        !isAll(proofs, /^tests\/.+\.test\.tsx?$/),
    )
    expect(gaps).toEqual([])
  })

  it('links only to existing files', () => {
    const files = rows.flatMap(({ places, proofs }) => [...places, ...proofs])
    expect(files.filter((file) => !existsSync(file))).toEqual([])
  })

  it('links to tests whose titles cite the clause', () => {
    const strangers = rows.flatMap(({ id, proofs }) =>
      proofs.filter((file) => !cited.get(file)?.has(id)).map((file) => `${id} ${file}`),
    )
    expect(strangers).toEqual([])
  })

  it('has every clause that a test title cites', () => {
    const known = new Set(rows.map(({ id }) => id))
    const unknown = [...cited].flatMap(([file, ids]) =>
      [...ids].filter((id) => !known.has(id)).map((id) => `${id} ${file}`),
    )
    expect(unknown).toEqual([])
  })
})

describe('the rulings and the reliability requirements', () => {
  it('define R1 to R8, the chapters and the numbers 1 to 34 once each', () => {
    const chapters = [
      'session',
      'lists',
      'numbers',
      'figures',
      'forms',
      'shell',
      'places and files',
      'capabilities',
    ]
    expect(defined).toEqual([
      ...numbered('R', 8),
      ...chapters.map((chapter) => `rulings, ${chapter}`),
      ...numbered('reliability ', 34),
    ])
  })

  it('define everything that code, tests and documents cite', () => {
    const unknown = ['src', 'server', 'tests', 'docs']
      .flatMap(textFilesIn)
      .flatMap((file) => citationsIn(file).map((citation) => ({ file, citation })))
      .filter(({ citation }) => !defined.includes(citation))
    expect(unknown).toEqual([])
  })
})

/** The ids that docs/rulings.md and docs/reliability.md define, in the form in which they are cited. */
const defined = [
  ...[...readFileSync('docs/rulings.md', 'utf8').matchAll(/^### (.+)/gm)].map(([, heading = '']) =>
    /^R\d/.test(heading) ? heading : `rulings, ${heading.toLowerCase()}`,
  ),
  ...[...readFileSync('docs/reliability.md', 'utf8').matchAll(/^\| (\d+) /gm)].map(
    ([, number = '']) => `reliability ${number}`,
  ),
]

/** `R4`, `rulings, lists`, `reliability 27, 28`. In code, the word `rulings` always names a chapter. */
function citationsIn(file: string): string[] {
  const text = readFileSync(file, 'utf8').replace(/\s*\n\s*(\/\/|\*)?\s*/g, ' ')
  const ofRulings = file.endsWith('.md')
    ? /[(;`] ?rulings, ([a-z ]+)/g
    : /\brulings\b(?!\.md)(?:, ([a-z ]+))?/g
  return [
    ...[...text.matchAll(/\bR\d+\b/g)].map(([id]) => id),
    ...[...text.matchAll(ofRulings)].map(([, chapter = '(no chapter)']) => `rulings, ${chapter.trim()}`),
    ...[...text.matchAll(/\breliability (\d+(?:, \d+)*)/g)].flatMap(([, numbers = '']) =>
      numbers.split(', ').map((number) => `reliability ${number}`),
    ),
  ]
}

/** All code and documents in a folder, except this file. */
function textFilesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(tsx?|css|md)$/.test(name))
    .map((name) => join(folder, name))
    .filter((file) => file !== join('tests', 'requirements.test.ts'))
}

const numbered = (prefix: string, last: number) =>
  Array.from({ length: last }, (_, at) => `${prefix}${at + 1}`)

/** For each test file, the clauses that its titles cite. */
const cited = new Map(
  readdirSync('tests', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.test\.tsx?$/.test(name))
    .map((name) => join('tests', name))
    .map((file) => [file, citedIn(file)]),
)

function citedIn(file: string): Set<string> {
  const code = readFileSync(file, 'utf8')
  // A title with `$clause` gets its clauses from a table, possibly in a support file.
  const tables = /\$\{?clause/.test(code)
    ? [...code.matchAll(/'(?:\.\.\/)+(support\/[\w-]+\.tsx?)'/g)].map(([, path = '']) => join('tests', path))
    : []
  return new Set([code, ...tables.map((path) => readFileSync(path, 'utf8'))].flatMap(citedInStrings))
}

/** Only test titles count: comments are removed first. */
function citedInStrings(code: string): string[] {
  const withoutComments = code.replace(/^\s*(\/\/|\/?\*).*$/gm, '')
  const strings = withoutComments.match(/(['"`])(?:(?!\1)[^\\\n]|\\.)*\1/g) ?? []
  return strings.flatMap((text) =>
    [...text.matchAll(/\b(S\d(?:\.[a-z])?)\.(\d+)(?:(?:–| to )\1\.(\d+))?/g)].flatMap(
      ([, part = '', first, last = first]) => range(part, Number(first), Number(last)),
    ),
  )
}

function range(part: string, first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, at) => `${part}.${first + at}`)
}

function linksOf(cell: string): string[] {
  return [...cell.matchAll(/\]\((.+?)\)/g)].map(([, target = '']) => join('docs', target))
}

const isAll = (files: string[], kind: RegExp) => files.length > 0 && files.every((file) => kind.test(file))
