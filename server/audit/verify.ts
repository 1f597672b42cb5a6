import { sql } from 'kysely'
import type { Engine } from '../db/engine.ts'
import type { Seal } from './seals.ts'
import { hashOf, rowsBetween, sealedColumns } from './seals.ts'

interface Verified {
  /** What was changed, inserted or deleted, as sentences; empty if nothing was. */
  findings: string[]
  /** The number of rows that the seals cover. */
  rows: number
  newest: Seal | null
}

/**
 * Compares the rows of the audit with their seals, and the seals with each other. `kept` is a seal that was kept elsewhere
 * (`12:9f86d0…`): without it, deleting the newest seals or making all seals again cannot be found.
 */
export async function verifyAudit(engine: Engine, kept = ''): Promise<Verified> {
  const findings: string[] = []
  const [keptNumber = '', keptHash] = kept.split(':')
  let isKeptFound = kept === ''
  let newest: Seal | null = null
  let rows = 0
  for (let last = 0; ;) {
    const next = await engine.reading
      .selectFrom('audit_seals')
      .selectAll()
      .where('id', '>', last)
      .orderBy('id')
      .limit(500)
      .execute()
    if (next.length === 0) break
    for (const seal of next) {
      findings.push(...linkFindings(newest, seal), ...(await rowFindings(engine, seal)))
      if (String(seal.id) === keptNumber) {
        isKeptFound = true
        if (seal.hash !== keptHash)
          findings.push(`Seal ${seal.id} is not the one that was kept: ${seal.hash}.`)
      }
      newest = seal
      last = seal.id
      rows += seal.n
    }
  }
  if (!isKeptFound) findings.push(`Seal ${keptNumber}, which was kept, is missing.`)
  findings.push(...(await strayFindings(engine)))
  return { findings, rows, newest }
}

function linkFindings(before: Seal | null, seal: Seal): string[] {
  const [first, last] = [(before?.id ?? 0) + 1, seal.id - 1]
  if (first < last) return [`Seals ${first} to ${last} are missing.`]
  if (first === last) return [`Seal ${first} is missing.`]
  return seal.previous === (before?.hash ?? '')
    ? []
    : [`Seal ${seal.id} does not follow from seal ${last}: one of them was changed.`]
}

async function rowFindings({ reading }: Engine, seal: Seal): Promise<string[]> {
  const { id, rows_of, first_id, last_id, n } = seal
  // If rows were inserted, some more than one seal covers.
  const rows = await rowsBetween(reading, rows_of, first_id, last_id, n + 1_000)
  if (rows.length === n && hashOf(seal, rows) === seal.hash) return []
  const where = `${rows_of}, rows ${first_id} to ${last_id}`
  const difference = Math.abs(rows.length - n)
  if (rows.length < n) return [`${where}: ${difference} of ${n} missing.`]
  if (rows.length > n) return [`${where}: ${difference} more than the ${n} that were sealed.`]
  return [`${where}: a row was changed, or their seal ${id}.`]
}

/** Rows before the first seal of their table begins: ids start at 1. */
async function strayFindings({ reading }: Engine): Promise<string[]> {
  const findings: string[] = []
  for (const table of Object.keys(sealedColumns)) {
    const { rows } = await sql<{
      n: number
    }>`select count(*) as n from ${sql.table(table)} where id < 1`.execute(reading)
    const n = rows[0]?.n ?? 0
    if (n > 0) findings.push(`${table}: ${n} with an id below 1.`)
  }
  return findings
}
