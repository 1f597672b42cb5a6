import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Engine } from '../../server/db/engine.ts'
import { runAll } from '../../server/db/engine.ts'

const folder = join(import.meta.dirname, 'old-database')
const read = (file: string) => readFileSync(join(folder, file), 'utf8')
const statements = (file: string) => read(file).split(';\n').filter(Boolean)

/**
 * Fills an empty database exactly as the first released version wrote it, migrations 0001 and 0002: tables, rows,
 * triggers and search indexes. The files were recorded from that version and never change. `without` names a counter to
 * leave out, in its table and in its triggers.
 */
export async function writeOldDatabase({ name, db }: Engine, without?: string): Promise<void> {
  const lacks = new RegExp(` update counters set value [^;]*? where name = '${without ?? ''}' [^;]*;`, 'g')
  await runAll(db, [
    ...statements(`${name}-tables.sql`),
    ...statements('rows.sql'),
    ...statements(`${name}-triggers.sql`).map((statement) => statement.replace(lacks, '')),
    `delete from counters where name = '${without ?? ''}'`,
  ])
}

/** The replies of the first released version for these rows, by address below `/api/v1/oms/`. */
export const oldAnswers: { url: string; answer: unknown }[] = read('answers.jsonl')
  .split('\n')
  .filter(Boolean)
  .map((line) => {
    const parsed: unknown = JSON.parse(line)
    if (typeof parsed !== 'object' || parsed === null || !('url' in parsed) || !('answer' in parsed))
      throw new Error(`answers.jsonl has a line without an address or an answer: ${line}`)
    return { url: String(parsed.url), answer: parsed.answer }
  })

/** A signed-in staff member of these rows, and the time at which the answers were recorded. */
export const oldStaff = { email: 'dispatcher@old.test' }
export const oldTime = Date.UTC(2026, 10, 20, 6, 36)
