import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { History } from '../support/histories.ts'
import { ask, check, isShown, newDatabase, newHistories, prepare } from '../support/histories.ts'
import type { Installation } from '../support/installation.ts'
import { install } from '../support/installation.ts'
import { repeats } from '../support/soak.ts'

const clients = 8
/** Of each kind of change. */
const historiesEach = 3
/** How many servers there are, and how often one of them is killed: in full every 20 seconds during ten minutes. */
const [servers, kills, pause] = [3, repeats(2, 30), repeats(500, 20_000)]

let installed: Installation
let place: Awaited<ReturnType<typeof newDatabase>>
beforeAll(async () => {
  installed = install()
  place = await newDatabase()
})
afterAll(async () => {
  await installed.remove()
  await place.remove()
})

test('three servers on one PostgreSQL, of which one is killed again and again, answer every request of clients that try another one, and lose and double no change (reliability 16, 17, 19)', async () => {
  const histories = newHistories(historiesEach)
  const headers = await prepare(place.open(), histories)
  const begin = () => installed.start({ ...place.env, OMS_DATA: installed.newFolder(), OMS_LOG: 'silent' })
  const running = await Promise.all(Array.from({ length: servers }, begin))
  let isOver = false
  let refused = 0
  /** Asks one server after the other, as behind a balancer without sticky sessions, until one answers. */
  const untilAnswered = async (one: number, request: (url: string) => Promise<boolean>) => {
    for (let tries = 0; tries < 100; tries++) {
      if (await request(running[(one + tries) % servers]?.url ?? '')) return
      refused++
      await wait(20)
    }
    throw new Error('No server answered a request.')
  }
  const client = async (own: readonly History[]) => {
    for (let nth = 0; !isOver; nth++) {
      const history = own[nth % own.length]
      if (!history) return
      await untilAnswered(nth, (url) => ask(url, headers, history))
      await untilAnswered(nth + 1, (url) => isShown(url, headers, history))
    }
  }
  const working = Promise.all(
    Array.from({ length: clients }, (_, nth) =>
      client(histories.filter((_, index) => index % clients === nth)),
    ),
  )
  for (let kill = 0; kill < kills; kill++) {
    await Promise.race([wait(pause), working])
    running[kill % servers]?.signal('SIGKILL')
    expect(await running[kill % servers]?.ended).toMatchObject({ signal: 'SIGKILL', stderr: '' })
    running[kill % servers] = await begin()
  }
  isOver = true
  await working
  await Promise.all(running.map((server) => server.end('SIGTERM')))

  for (const { name, sent, acknowledged } of histories) expect(acknowledged, name).toBe(sent)
  expect(histories.reduce((sum, { acknowledged }) => sum + acknowledged, 0)).toBeGreaterThan(kills * 10)
  // Otherwise no server was killed while requests were under way.
  expect(refused).toBeGreaterThan(0)
  await check(place.open(), histories, 'at the end')
  const checked = await installed.run(['server/check.ts'], {
    ...place.env,
    OMS_DATA: installed.newFolder(),
  })
  expect(checked, checked.stdout + checked.stderr).toMatchObject({ code: 0, stderr: '' })
}, 900_000)
