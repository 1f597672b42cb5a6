import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../server/db/engine.ts'
import { openSqlite } from '../../server/db/sqlite.ts'
import { engines } from '../support/engines.ts'
import type { History } from '../support/histories.ts'
import { ask, check, newDatabase, newHistories, prepare, requireEveryCall } from '../support/histories.ts'
import type { Installation, RunningServer } from '../support/installation.ts'
import { install } from '../support/installation.ts'
import { repeats } from '../support/soak.ts'

const clients = 8
/** Of each kind of change. */
const historiesEach = 3
/** After as many changes each history has had every call of its kind. */
const fewest = 4
const rounds = { sqlite: repeats(3, 100), postgres: repeats(2, 100) }

describe.each(engines)('a server on %s that is killed repeatedly', (name) => {
  let installed: Installation
  let place: { env: Record<string, string>; open: () => Engine; remove: () => Promise<void> }
  beforeAll(async () => {
    installed = install()
    place = name === 'sqlite' ? newFile(installed) : await newDatabase()
  })
  afterAll(async () => {
    await installed.remove()
    await place.remove()
  })

  test('loses no acknowledged change, makes no change twice and keeps its counters correct (reliability 16, 17, 19)', async () => {
    const histories = newHistories(historiesEach)
    const headers = await prepare(place.open(), histories)
    const moments = fc.sample(
      fc.record({ answers: fc.integer({ min: 1, max: 90 }), delay: fc.integer({ min: 0, max: 4 }) }),
      { numRuns: rounds[name], seed: 1930 },
    )
    for (const [round, moment] of moments.entries()) {
      const server = await installed.start({ ...place.env, OMS_LOG: 'silent' })
      if (name === 'sqlite') await check(place.open(), histories, `before round ${round}`)
      await killAt(server, moment, (answered) =>
        Promise.all(
          Array.from({ length: clients }, (_, client) =>
            work(
              server.url,
              headers,
              histories.filter((_, nth) => nth % clients === client),
              answered,
            ),
          ),
        ),
      )
      if (name === 'postgres') await check(place.open(), histories, `after round ${round}`)
    }
    const server = await installed.start(place.env)
    for (const history of histories)
      do await ask(server.url, headers, history)
      while (history.acknowledged < fewest)
    await server.end('SIGTERM')
    for (const { name, sent, acknowledged } of histories) expect(acknowledged, name).toBe(sent)
    await check(place.open(), histories, 'at the end')
    await requireEveryCall(place.open())
    const changes = histories.reduce((sum, { acknowledged }) => sum + acknowledged, 0)
    expect(changes).toBeGreaterThan(rounds[name] * 10)
    const checked = await installed.run(['server/check.ts'], place.env)
    expect(checked, checked.stdout + checked.stderr).toMatchObject({ code: 0, stderr: '' })
  }, 2_400_000)
})

/** Runs the clients and kills the server after the given number of replies and milliseconds. */
async function killAt(
  server: RunningServer,
  moment: { answers: number; delay: number },
  run: (answered: () => void) => Promise<unknown>,
): Promise<void> {
  let answers = 0
  const working = run(() => {
    if (++answers === moment.answers)
      void wait(moment.delay).then(() => {
        server.signal('SIGKILL')
      })
  })
  expect(await server.ended).toMatchObject({ signal: 'SIGKILL', stderr: '' })
  await working
}

/** Sends one change after the other until the server is killed. The next round repeats the change without a reply. */
async function work(
  url: string,
  headers: { authorization: string },
  histories: History[],
  answered: () => void,
): Promise<void> {
  for (let nth = 0; ; nth++) {
    const history = histories[nth % histories.length]
    if (!history || !(await ask(url, headers, history))) return
    answered()
  }
}

function newFile(installed: Installation) {
  const folder = installed.newFolder()
  return {
    env: { OMS_DATA: folder },
    open: () => openSqlite(join(folder, 'oms.db')),
    remove: () => Promise.resolve(),
  }
}
