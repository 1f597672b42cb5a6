import { sql } from 'kysely'
import type { Engine } from '../db/engine.ts'
import { runAll } from '../db/engine.ts'
import type { FullText } from '../db/sqlite.ts'

/**
 * Whether a full-text index of SQLite has each word in as many rows as its table. The rows are indexed again in parts, in memory, and the
 * words are counted by a hash, so that more rows take no more memory. All is read as it is at one moment; others can write meanwhile.
 */
export async function isSameIndex(
  engine: Engine,
  { table, index, columns, options, values }: FullText,
): Promise<boolean> {
  const trx = await engine.db.startTransaction().setAccessMode('read only').execute()
  const counts = new Int32Array(2 ** 16)
  const count = async (words: string, sign: 1 | -1) => {
    const rows = sql<{
      word: string
      n: number
    }>`(select term || ' ' || ifnull(col, '') as word, doc as n from ${sql.raw(words)})`
    for await (const { word, n } of trx.selectFrom(rows.as('words')).selectAll().stream()) {
      const slot = hashOf(word) % counts.length
      counts[slot] = (counts[slot] ?? 0) + sign * n
    }
  }
  try {
    await runAll(trx, [
      `create virtual table temp.part using fts5(${columns}, content='', ${options})`,
      'create virtual table temp.part_words using fts5vocab(temp, part, col)',
      `create virtual table temp.index_words using fts5vocab(main, ${index}, col)`,
    ])
    for (let after = 0; ;) {
      const { rows } = await sql
        .raw<{ last: number | null }>(
          `select max(id) as last from (select id from ${table} where id > ${after} order by id limit 5000)`,
        )
        .execute(trx)
      const last = rows[0]?.last ?? null
      if (last === null) break
      await runAll(trx, [
        `insert into temp.part (rowid, ${columns}) select t.id, ${values('t')} from ${table} t where t.id > ${after} and t.id <= ${last}`,
      ])
      await count('temp.part_words', 1)
      await runAll(trx, [`insert into temp.part (part) values ('delete-all')`])
      after = last
    }
    await count('temp.index_words', -1)
    return counts.every((sum) => sum === 0)
  } finally {
    await trx.rollback().execute()
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193) >>> 0
  return hash
}
