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
  it('has every clause once, in order, and no other', () => {
    const expected = Object.entries(clauses).flatMap(([part, count]) => range(part, 1, count))
    expect(expected).toHaveLength(199)
    expect(rows.map(({ id }) => id)).toEqual(expected)
  })

  it('says of each what it asks for, where that is and which test proves it', () => {
    const gaps = rows.filter(
      ({ requirement, places, proofs }) =>
        !requirement ||
        !isAll(places, /^(src|server)\/.+\.(tsx?|css)$/) ||
        !isAll(proofs, /^tests\/.+\.test\.tsx?$/),
    )
    expect(gaps).toEqual([])
  })

  it('links to files that are there', () => {
    const files = rows.flatMap(({ places, proofs }) => [...places, ...proofs])
    expect(files.filter((file) => !existsSync(file))).toEqual([])
  })

  it('links to tests whose titles cite the clause', () => {
    const strangers = rows.flatMap(({ id, proofs }) =>
      proofs.filter((file) => !cited.get(file)?.has(id)).map((file) => `${id} ${file}`),
    )
    expect(strangers).toEqual([])
  })

  it('knows every clause that a title cites', () => {
    const known = new Set(rows.map(({ id }) => id))
    const unknown = [...cited].flatMap(([file, ids]) =>
      [...ids].filter((id) => !known.has(id)).map((id) => `${id} ${file}`),
    )
    expect(unknown).toEqual([])
  })
})

/** By test file, the clauses that its titles cite. */
const cited = new Map(
  readdirSync('tests', { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.test\.tsx?$/.test(name))
    .map((name) => join('tests', name))
    .map((file) => [file, citedIn(file)]),
)

function citedIn(file: string): Set<string> {
  const code = readFileSync(file, 'utf8')
  // A title with `$clause` in it has them from a table, which may be shared.
  const tables = /\$\{?clause/.test(code)
    ? [...code.matchAll(/'\.\.\/(support\/[\w-]+\.tsx?)'/g)].map(([, path = '']) => join('tests', path))
    : []
  return new Set([code, ...tables.map((path) => readFileSync(path, 'utf8'))].flatMap(citedInStrings))
}

/** A comment cites without proving. */
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
