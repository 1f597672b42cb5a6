import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { explainAddress } from './address.ts'
import { buildApp } from './app.ts'
import type { Seal } from './audit/seals.ts'
import { sealAudit, tokenOf } from './audit/seals.ts'
import type { Config } from './config.ts'
import { readConfig } from './config.ts'
import { hold } from './db/hold.ts'
import { openReplica } from './db/replica.ts'
import { untilAvailable } from './db/until-available.ts'
import { demoLogin, hasRealStaff } from './demo/access.ts'
import { prepareDemo } from './demo/first-run.ts'
import { diskWatch } from './disk-space.ts'
import { keepHouse } from './housekeeping.ts'
import { openInstallation, prepareFolder } from './installation.ts'
import { explain } from './operator-error.ts'
import { root } from './root.ts'
import { checkBucket } from './storage/s3.ts'

/** Serves everything on one port, until a signal stops it. */
try {
  await start(readConfig(process.env))
} catch (error) {
  console.error(explain(error))
  process.exit(1)
}

async function start(config: Config): Promise<void> {
  const notices: string[] = []
  const notice = (text: string) => notices.push(text)
  prepareFolder(config, notice)
  const whenThere = <Result>(open: () => Promise<Result>) =>
    config.databaseUrl ? untilAvailable(open) : open()
  const held = await whenThere(() => hold(config))
  const engine = await whenThere(() => openInstallation(config, notice))
  const withDemo = await prepareDemo(engine, config, held)
  const replica = config.databaseReadUrl ? openReplica(engine, config.databaseReadUrl) : null
  const app = await buildApp({
    config,
    engine,
    replica,
    // `npm start` has built it. Without a build, `npm run dev` has the console from Vite only.
    consoleFolder: existsSync(join(root, 'dist', 'index.html')) ? join(root, 'dist') : null,
    demoLogin: withDemo ? demoLogin : null,
  })
  replica?.follow(app.log)
  if (config.s3) await checkBucket(config.s3, notice)
  for (const text of notices) app.log.warn(text)
  const { port, host } = config
  const url = await app.listen({ port, host }).catch((error: unknown) => {
    throw explainAddress(error, config)
  })
  console.log(`\nTwende OMS is ready: ${url}/`)
  if (withDemo && !(await hasRealStaff(engine)))
    console.log(
      `Demo login: ${demoLogin.email} / ${demoLogin.password}\n` +
        'It works on this machine only. Before you make the server public, disable it: npm run staff -- add EMAIL',
    )
  console.log('Stop it with Ctrl+C.\n')

  const logFailure = (error: unknown) => app.log.error({ err: error }, 'cleanup failed')
  const log = (work: Promise<Seal | null>) =>
    work.then((seal) => seal && app.log.info({ seal: tokenOf(seal) }, 'audit sealed'), logFailure)
  const clean = () => log(keepHouse(engine, config.dataFolder, Date.now(), config.s3, logFailure))
  let cleaned = clean()
  const cleaning = setInterval(() => {
    cleaned = clean()
  }, 60 * 60_000).unref()

  const watchDisk = diskWatch(config, app.log)
  const watching = setInterval(() => void watchDisk(), 60_000).unref()
  void watchDisk()

  let stopping = false
  const stop = () => {
    if (stopping) process.exit(1)
    stopping = true
    clearInterval(cleaning)
    clearInterval(watching)
    setTimeout(() => process.exit(1), 10_000).unref()
    void app
      .drain()
      .then(() => app.close())
      .then(() => cleaned)
      .then(() => log(sealAudit(engine, Date.now())))
      .then(() => replica?.close())
      .then(() => engine.close())
      .then(() => held.release())
      .then(() => process.exit(0))
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}
