import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { ConfigError, readConfig } from './config.ts'
import type { Engine } from './db/engine.ts'
import { migrate } from './db/engine.ts'
import { openDatabase } from './db/open.ts'
import { fold } from './fold.ts'
import { hashPassword } from './password.ts'

const usage = `Usage: npm run staff -- add|disable|enable|reset-password|list [email] [--generate]
  add              a staff member; asks for the password, or makes one with --generate
  disable, enable  shut a staff member out (every session ends at once), or let them in again
  reset-password   as add; every session of theirs ends
  list             e-mail, date joined, state`

/** A mistake of the person at the keyboard: shown without a stack, exit 1. */
class UsageError extends Error {}

/** Manages staff, also beside a running server: `npm run staff`. */
try {
  await run(process.argv.slice(2))
} catch (error) {
  console.error(error instanceof UsageError || error instanceof ConfigError ? error.message : error)
  process.exitCode = 1
}

async function run(args: string[]): Promise<void> {
  const [verb, address] = args.filter((arg) => !arg.startsWith('--'))
  const generate = args.includes('--generate')
  if (verb !== 'list' && !(verb && address)) throw new UsageError(usage)
  const email = (address ?? '').trim().toLowerCase()
  if (verb !== 'list' && !/^[^\s@]+@[^\s@]+$/.test(email))
    throw new UsageError(`"${email}" is no e-mail address.`)
  const engine = openDatabase(readConfig(process.env))
  try {
    await migrate(engine)
    if (verb === 'list') await list(engine)
    else if (verb === 'add') await add(engine, email, await choosePassword(generate))
    else if (verb === 'disable') await setDisabled(engine, email, true)
    else if (verb === 'enable') await setDisabled(engine, email, false)
    else if (verb === 'reset-password') await resetPassword(engine, email, await choosePassword(generate))
    else throw new UsageError(usage)
  } finally {
    await engine.close()
  }
}

async function add(engine: Engine, email: string, password: string): Promise<void> {
  const existing = await engine.db
    .selectFrom('staff')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst()
  if (existing) throw new UsageError(`${email} is already on the staff.`)
  const password_hash = await hashPassword(password)
  await engine.db
    .insertInto('staff')
    .values({ email, password_hash, date_joined: Date.now(), search: fold(email) })
    .execute()
  console.log(`${email} can sign in now.`)
}

async function setDisabled(engine: Engine, email: string, disabled: boolean): Promise<void> {
  const id = await find(engine, email)
  await engine.db.transaction().execute(async (trx) => {
    await trx
      .updateTable('staff')
      .set({ disabled: disabled ? 1 : 0 })
      .where('id', '=', id)
      .execute()
    await trx.deleteFrom('sessions').where('staff_id', '=', id).execute()
  })
  console.log(disabled ? `${email} is signed out and can no longer sign in.` : `${email} can sign in again.`)
}

async function resetPassword(engine: Engine, email: string, password: string): Promise<void> {
  const id = await find(engine, email)
  const password_hash = await hashPassword(password)
  await engine.db.transaction().execute(async (trx) => {
    await trx.updateTable('staff').set({ password_hash }).where('id', '=', id).execute()
    await trx.deleteFrom('sessions').where('staff_id', '=', id).execute()
  })
  console.log(`${email} has a new password; earlier sessions have ended.`)
}

async function list(engine: Engine): Promise<void> {
  const rows = await engine.db.selectFrom('staff').selectAll().orderBy('email').execute()
  for (const row of rows)
    console.log(
      `${row.email}\t${new Date(row.date_joined).toISOString().slice(0, 10)}\t${row.disabled ? 'disabled' : 'active'}`,
    )
}

async function find(engine: Engine, email: string): Promise<number> {
  const staff = await engine.db.selectFrom('staff').select('id').where('email', '=', email).executeTakeFirst()
  if (!staff) throw new UsageError(`${email} is not on the staff.`)
  return staff.id
}

async function choosePassword(generate: boolean): Promise<string> {
  if (generate) {
    const password = randomBytes(15).toString('base64url')
    console.log(`Password: ${password}`)
    return password
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  const password = await Promise.race([
    lines.question('Password (at least 12 characters): '),
    once(lines, 'close').then(() => ''),
  ])
  lines.close()
  if ([...password].length < 12) throw new UsageError('The password needs at least 12 characters.')
  return password
}
