import { randomBytes } from 'node:crypto'
import { userInfo } from 'node:os'
import { askPassword } from './ask-password.ts'
import { recordEvent } from './audit/events.ts'
import { sealAudit, tokenOf } from './audit/seals.ts'
import { verifyAudit } from './audit/verify.ts'
import { readConfig } from './config.ts'
import type { Engine } from './db/engine.ts'
import { demoLogin, demoState, endDemoSessions, hasRealStaff } from './demo/access.ts'
import { fold } from './fold.ts'
import { openInstallation, prepareFolder } from './installation.ts'
import { OperatorError, explain } from './operator-error.ts'
import { hashPassword, passwordFault } from './password.ts'

const usage = `Usage: npm run staff -- add|disable|enable|reset-password|list|audit [email] [--generate]
  add              a staff member; asks for the password, or generates one with --generate
  disable, enable  block the login of a staff member and end all their sessions, or allow it again
  reset-password   a new password, as with add; ends all sessions of the staff member
  list             e-mail, date joined, state
  audit [SEAL]     seals the audit and checks it; with a seal from earlier, also whether it is still the same`

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
  const isOfOne = verb !== 'list' && verb !== 'audit'
  if (isOfOne && !(verb && address)) throw new OperatorError(usage)
  const email = (address ?? '').trim().toLowerCase()
  if (isOfOne && !/^[^\s@]+@[^\s@]+$/.test(email))
    throw new OperatorError(`"${email}" is not an e-mail address.`)
  const config = readConfig(process.env)
  const notice = (text: string) => {
    console.error(text)
  }
  prepareFolder(config, notice)
  const engine = await openInstallation(config, notice)
  try {
    // When the load begins again, it deletes all accounts.
    if (isOfOne && (await demoState(engine)) === 'loading')
      throw new OperatorError(
        'The demo data is being loaded, or its load was interrupted. Until it is complete, accounts cannot be kept. ' +
          'If it was interrupted, start the server: it deletes the unfinished demo data, and loads it again unless OMS_DEMO=off. ' +
          'Then run this command again.',
      )
    if (verb === 'list') await list(engine)
    else if (verb === 'audit') await checkAudit(engine, address)
    else if (verb === 'add') await add(engine, email, generate)
    else if (verb === 'disable') await setDisabled(engine, email, true)
    else if (verb === 'enable') await setDisabled(engine, email, false)
    else if (verb === 'reset-password') await resetPassword(engine, email, generate)
    else throw new OperatorError(usage)
  } finally {
    await engine.close()
  }
}

async function add(engine: Engine, email: string, generate: boolean): Promise<void> {
  if (email === demoLogin.email)
    throw new OperatorError(
      `${email} is the demo login, which a server without demo data refuses. Choose another e-mail.`,
    )
  const existing = await engine.db
    .selectFrom('staff')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirst()
  if (existing) throw new OperatorError(`${email} already has an account.`)
  const password_hash = await hashPassword(await choosePassword(generate))
  await engine.db.transaction().execute(async (trx) => {
    await trx
      .insertInto('staff')
      .values({ email, password_hash, date_joined: Date.now(), search: fold(email) })
      .execute()
    await record(trx, 'add', email)
  })
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
    await record(trx, disabled ? 'disable' : 'enable', email)
  })
  console.log(disabled ? `${email} is signed out and can no longer sign in.` : `${email} can sign in again.`)
}

async function resetPassword(engine: Engine, email: string, generate: boolean): Promise<void> {
  const id = await find(engine, email)
  const password_hash = await hashPassword(await choosePassword(generate))
  await engine.db.transaction().execute(async (trx) => {
    await trx.updateTable('staff').set({ password_hash }).where('id', '=', id).execute()
    await trx.deleteFrom('sessions').where('staff_id', '=', id).execute()
    await record(trx, 'reset-password', email)
  })
  console.log(`${email} has a new password; earlier sessions have ended.`)
  await endDemo(engine)
}

function record(
  trx: Engine['db'],
  verb: 'add' | 'disable' | 'enable' | 'reset-password',
  email: string,
): Promise<void> {
  return recordEvent(trx, { at: Date.now(), event: `staff.${verb}`, about: email, origin: systemUser() })
}

/** The user of the operating system who runs the command; with sudo, who ran sudo. */
function systemUser(): string {
  try {
    return process.env['SUDO_USER'] || userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown') // A user without an entry in /etc/passwd, as in a container.
  }
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

async function checkAudit(engine: Engine, kept: string | undefined): Promise<void> {
  if (kept !== undefined && !/^\d+:[0-9a-f]{64}$/.test(kept))
    throw new OperatorError(`"${kept}" is not a seal. A seal is a number, a colon and 64 hexadecimal digits.`)
  await sealAudit(engine, Date.now())
  const { findings, rows, newest } = await verifyAudit(engine, kept)
  if (findings.length > 0) throw new OperatorError(findings.join('\n'))
  console.log(`The audit is unchanged: ${rows} rows.`)
  if (newest) console.log(`Newest seal, to be kept elsewhere: ${tokenOf(newest)}`)
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
  const password = await askPassword(process.stdin, process.stderr)
  const fault = passwordFault(password)
  if (fault) throw new OperatorError(fault)
  return password
}
