import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { buildPage } from '../bench/client/build.ts'
import { chooseProfiles } from '../bench/client/choose.ts'
import { installPackages } from '../bench/client/install.ts'
import { pages } from '../bench/client/pages.ts'
import { sectionOf } from '../bench/client/report.ts'
import { droppedOf, percentile } from '../bench/client/stats.ts'
import { nav } from '../bench/client/suites/nav.ts'
import { palette } from '../bench/client/suites/palette.ts'
import { spentIn } from '../bench/client/trace.ts'
import { writeSection } from '../bench/results.ts'

describe('the results of the benches', () => {
  test('a section is replaced, and the others stay', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'results-')), 'RESULTS.md')
    await writeSection('client', 'first figures', file)
    await writeSection('server', 'its figures', file)
    await writeSection('client', 'second figures', file)
    const text = readFileSync(file, 'utf8')
    expect(text).not.toContain('first figures')
    expect(text).toMatch(/begin client -->\n\nsecond figures\n\n.*end client/)
    expect(text).toMatch(/begin server -->\n\nits figures\n\n.*end server/)
  })
})

test('a bench refuses a profile that it does not know', () => {
  expect(chooseProfiles('4x,slow4g')).toEqual(['4x', 'slow4g'])
  expect(() => chooseProfiles('1x,8x')).toThrow('"8x" is none of 1x, 4x, slow4g.')
})

test.each(['palette', 'client/bare'])(
  'the page %s of the bench is built with the settings of the console',
  async (page) => {
    const folder = await buildPage(join(import.meta.dirname, '..', 'bench', page))
    expect(existsSync(join(folder, 'index.html'))).toBe(true)
    rmSync(folder, { recursive: true })
  },
)

describe('the figures of the client bench', () => {
  test('a percentile lies between the two values beside it', () => {
    expect(percentile([30, 10, 20, 40], 0.5)).toBe(25)
    expect(percentile([10, 20], 0.95)).toBeCloseTo(19.5)
    expect(percentile([], 0.5)).toBeNull()
  })

  test('a frame that takes three intervals at 60 per second has dropped two', () => {
    expect(droppedOf([16.7, 16.6, 17.2])).toBe(0)
    expect(droppedOf([16.7, 16.7, 50])).toBe(40)
  })

  test('a table has the median of all visits and the ratios to the best peer and to the bare page', () => {
    const values = new Map([
      ['product', [{ first: [40, 60], again: [30] }, { first: [50] }]],
      ['bare', [{ first: [25], again: [20] }]],
      ['react-admin', [{ first: [200], again: [150] }]],
      ['ag-grid', [{ first: [100], again: [300] }]],
    ])
    const lines = sectionOf({ suite: nav, profile: '4x', values }, pages).split('\n')
    expect(lines[0]).toBe(`### ${nav.title}`)
    expect(lines[4]).toBe('| list visited for the first time, ms | 50 | 25 | 200 | – | 100 | 0.50 | 2.00 |')
    expect(lines[5]).toBe('| list visited again, ms | 30 | 20 | 150 | – | 300 | 0.20 | 1.50 |')
  })

  test('a percentile of keys is taken over the keys of all visits', () => {
    const values = new Map([['product', [{ key: [10, 20] }, { key: [30] }]]])
    const table = sectionOf({ suite: palette, profile: '1x', values }, pages)
    expect(table).toContain('| key to results painted, 95th percentile, ms | 29 | – |')
  })
})

test('a peer that npm cannot install is reported in one sentence', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'peer-'))
  const manifest = { name: 'peer', dependencies: { 'left-out': '1.0.0' } }
  const packages = { '': manifest, 'node_modules/left-out': { version: '1.0.0' } }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }))
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:1/')
  vi.stubEnv('npm_config_fetch_retries', '0')
  await expect(installPackages(folder)).rejects.toThrow('npm could not install it (ECONNREFUSED)')
  vi.unstubAllEnvs()
})

describe('a trace', () => {
  const event = (name: string, from: number, to: number, tid = 1) => ({
    ...{ name, ph: 'X', ts: from * 1000, dur: (to - from) * 1000, pid: 7, tid },
  })
  const measure = (ph: string, at: number) => ({ name: 'bench key', ph, ts: at * 1000, pid: 7, tid: 1 })
  const spentOn = (...traceEvents: object[]) =>
    spentIn(JSON.stringify({ traceEvents: [measure('b', 10), measure('e', 50), ...traceEvents] }))

  test('each moment of a measure counts for the innermost event, and what is outside does not', () => {
    const [found] = spentOn(
      event('RunTask', 0, 30),
      event('FunctionCall', 5, 25),
      event('UpdateLayoutTree', 12, 15),
      event('UnknownPart', 16, 18),
      event('RunTask', 40, 60),
      event('Paint', 45, 55),
    )
    expect(found).toEqual({
      name: 'key',
      spent: {
        ...{ total: 40, script: 12, compile: 0, collection: 0, style: 3, layout: 0, paint: 5 },
        ...{ other: 10, waiting: 10 },
      },
    })
  })

  test('other threads do not count', () => {
    expect(spentOn(event('FunctionCall', 10, 50, 2))[0]?.spent).toMatchObject({ script: 0, waiting: 40 })
  })
})
