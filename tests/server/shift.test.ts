import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { logIn } from '../../bench/demo.ts'
import { api, timed } from '../../bench/server/calls.ts'
import { act, actionsFor, any, upload } from '../../bench/server/staff-work.ts'
import { Times } from '../../bench/server/times.ts'
import { engines } from '../support/engines.ts'
import { newDatabase } from '../support/histories.ts'
import type { Installation } from '../support/installation.ts'
import { install } from '../support/installation.ts'
import { repeats } from '../support/soak.ts'

const users = repeats(5, 50)
const milliseconds = repeats(3_000, 60_000)
/** Those of the demo data of a first start. */
const drivers = 1200

describe.each(engines)('staff at work on %s', (name) => {
  let installed: Installation
  let database: { env: Record<string, string>; remove: () => Promise<unknown> }
  beforeAll(async () => {
    installed = install()
    database = name === 'postgres' ? await newDatabase() : { env: {}, remove: () => Promise.resolve() }
  })
  afterAll(async () => {
    await installed.remove()
    await database.remove()
  })

  test('get an answer to every call, beside exports and uploads, and leave data without faults (reliability 34)', async () => {
    const env = { ...database.env, OMS_DATA: installed.newFolder(), OMS_DEMO: 'on', OMS_LOG: 'silent' }
    const server = await installed.start(env)
    const clients: { url: string; headers: Record<string, string> }[] = []
    while (clients.length < users)
      clients.push({ url: server.url, headers: { authorization: `Bearer ${await logIn(server.url)}` } })
    const [first] = clients
    if (!first) throw new Error('Nobody works.')
    const times = new Times()
    const end = Date.now() + milliseconds
    const repeat = async (pause: () => number, call: () => Promise<unknown>) => {
      while (Date.now() < end) {
        await call()
        await wait(pause())
      }
    }
    const actions = actionsFor(drivers)
    await Promise.all([
      ...clients.map((client) =>
        repeat(
          () => any(400),
          async () => {
            for (const action of actions) await times.measure(action.name, () => act(client, action))
          },
        ),
      ),
      repeat(
        () => 1_000,
        () => times.measure('export', () => timed(first, `${api}drivers-export-excel/`)),
      ),
      repeat(
        () => 500,
        () => times.measure('upload', () => upload(first)),
      ),
    ])
    expect(Object.fromEntries(times.failed)).toEqual({})
    expect(times.names()).toEqual(['export', 'upload', ...actions.map((action) => action.name)].toSorted())
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0 })
    expect(await installed.run(['server/check.ts'], env)).toMatchObject({ code: 0, stderr: '' })
  })
})
