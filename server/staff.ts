import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import { readConfig } from './config.ts'
import type { Engine } from './db/engine.ts'
import { demoLogin, demoState, endDemoSessions, hasRealStaff } from './demo/access.ts'
import { fold } from './fold.ts'
import { openInstallation, prepareFolder } from './installation.ts'
import { OperatorError, explain } from './operator-error.ts'
import { hashPassword } from './password.ts'

const usage = `Usage: npm run staff -- add|disable|enable|reset-password|list [email] [--generate]
  add              a staff member; asks for the password, or generates one with --generate
  disable, enable  block the login of a staff member and end all their sessions, or allow it again
  reset-password   a new password, as with add; ends all sessions of the staff member
  list             e-mail, date joined, state`

/** Manages staff: `npm run staff`. It can run while the server is running. */
try {
  await run(process.argv.slice(2))
} catch (error) {
  console.error(explain(error))
  process.exitCode = 1
}

async function run(args: string[]): Promise<void> {
  const [verb, address] = args.filter((arg) => !arg.startsWith('--'))
  const generate = args.includes('--generate')
  if (verb !== 'list' && !(verb && address)) throw new OperatorError(usage)
  const email = (address ?? '').trim().toLowerCase()
  if (verb !== 'list' && !/^[^\s@]+@[^\s@]+$/.test(email))
    throw new OperatorError(`"${email}" is not an e-mail address.`)
  const config = readConfig(process.env)
  const notice = (text: string) => {
    console.error(text)
  }
  prepareFolder(config, notice)
  const engine = await openInstallation(config, notice)
  try {
    if (verb === 'list') await list(engine)
    else if (verb === 'add') await add(engine, email, generate)
    else if (verb === 'disable') await setDisabled(engine, email, true)
    else if (verb === 'enable') await setDisabled(engine, email, false)
    else if (verb === 'reset-password') await resetPassword(engine, email, await choosePassword(generate))
    else throw new OperatorError(usage)
  } finally {
    await engine.close()
  }
}

async function add(engine: Engine, email: string, generate: boolean): Promise<void> {
  const existing = await engine.db
    .selectFrom('staff')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst()
  if (existing) throw new OperatorError(`${email} already has an account.`)
  const password_hash = await hashPassword(await choosePassword(generate))
  await engine.db
    .insertInto('staff')
    .values({ email, password_hash, date_joined: Date.now(), search: fold(email) })
    .execute()
  console.log(`${email} can sign in now.`)
  await endDemo(engine)
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
  await endDemo(engine)
}

/** Ends the sessions of the demo login once a real account exists. */
async function endDemo(engine: Engine): Promise<void> {
  if ((await demoState(engine)) !== 'loaded' || !(await hasRealStaff(engine))) return
  await endDemoSessions(engine)
  console.log(`The demo login ${demoLogin.email} is disabled. The demo data is kept.`)
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
  if (!staff) throw new OperatorError(`${email} has no account.`)
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
  if ([...password].length < 12) throw new OperatorError('The password needs at least 12 characters.')
  return password
}
