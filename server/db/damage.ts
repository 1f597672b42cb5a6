import type { Engine } from './engine.ts'

/** Whether the database reports that what it has stored is damaged: SQLITE_CORRUPT, SQLITE_NOTADB; class XX of PostgreSQL. */
export function isDamage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('errcode' in error) return [11, 26].includes(Number(error.errcode) & 0xff)
  return 'code' in error && /^XX00[12]$/.test(String(error.code))
}

/** What to do about it. */
export const damageNotice = (engine: Engine['name'], dataFolder: string) =>
  `The database ${engine === 'postgres' ? 'of DATABASE_URL' : `in ${dataFolder}`} is damaged. To see how far: npm run check. ` +
  'To go back to a backup: npm run restore -- FILE, into an empty folder or database.'
