import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
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
