import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'

const documents = [
  'README.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).map((name) => join('docs', name)),
].filter((name) => name.endsWith('.md'))

describe('the documents', () => {
  it.each(documents)('%s links only to existing files', (document) => {
    const targets = [...readFileSync(document, 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
    const files = targets.map(([, target = '']) => join(dirname(document), target))
    expect(files.filter((file) => !existsSync(file))).toEqual([])
  })

  it.each(documents)('%s names the files to which it links as they are called', (document) => {
    const links = [...readFileSync(document, 'utf8').matchAll(/\[([^\]\s]+\.\w+)\]\(([^)#:]+)\)/g)]
    const others = links.filter(([, name = '', target = '']) => basename(name) !== basename(target))
    expect(others.map(([link]) => link)).toEqual([])
  })
})

describe('the example of an extension', () => {
  const blocks = [...readFileSync('docs/extending.md', 'utf8').matchAll(/^```(\w+)\n(.*?)^```$/gms)]
  const changes = blocks
    .filter(([, kind]) => kind === 'diff')
    .flatMap(([, , body = '']) => body.split(/^--- /m).slice(1))
    .map((part) => {
      const [file = '', ...lines] = part.trimEnd().split('\n')
      return { file, lines }
    })
  const additions = blocks
    .filter(([, kind]) => kind === 'ts')
    .map(([, , body = '']) => ({ file: /^\/\/ (.+)/.exec(body)?.[1] ?? '', body }))

  it.each(changes)('contains the current lines of $file', ({ file, lines }) => {
    const code = readFileSync(file, 'utf8').split('\n')
    const kept = lines.filter((line) => /^[ -]/.test(line)).map((line) => line.slice(1))
    expect(kept.filter((line) => !code.includes(line))).toEqual([])
  })

  it('adds a migration that runs after all others', () => {
    const folder = 'server/db/migrations'
    const [, , migration = ''] = blocks.find(([, kind]) => kind === 'sql') ?? []
    const name = basename(/^-- (.+)/.exec(migration)?.[1] ?? '')
    expect([...readdirSync(folder), name].sort().at(-1)).toBe(name)
    expect(readdirSync(folder)).not.toContain(name)
  })

  it.each(additions)('adds $file, whose imports exist', ({ file, body }) => {
    expect(existsSync(file)).toBe(false)
    const added = additions.map((one) => one.file)
    const imports = [...body.matchAll(/from '(\..+?)'/g)].map(([, path = '']) => join(dirname(file), path))
    expect(imports.filter((path) => !existsSync(path) && !added.includes(path))).toEqual([])
  })
})
