import { afterEach, expect, test, vi } from 'vitest'
import type { Command } from '../../../src/commands/command.ts'
import { prepareWords } from '../../../src/commands/find/rows.ts'

const titled: string[] = []
const command = (id: string): Command => ({
  id,
  about: id,
  title: () => {
    titled.push(id)
    return id
  },
  run: () => undefined,
})
const ids = ['open the drivers', 'open the trips', 'suspend the driver']

/** The work that waits for the browser to have nothing else to do. */
let waiting: IdleRequestCallback[] = []
const beIdle = (time: number) => {
  const [work, ...rest] = waiting
  waiting = rest
  work?.({ didTimeout: false, timeRemaining: () => time })
}

afterEach(() => {
  vi.unstubAllGlobals()
  titled.length = 0
  waiting = []
})

function prepare() {
  vi.stubGlobal('requestIdleCallback', (work: IdleRequestCallback) => waiting.push(work))
  // On a busy machine, the first command can take all of the time.
  vi.spyOn(performance, 'now').mockReturnValue(0)
  return prepareWords({ commands: ids.map(command), nouns: [] })
}

test('the words of the commands are prepared while the browser has nothing else to do, and the search is tried only if that lasts 8 ms', () => {
  prepare()
  expect(titled).toEqual([])
  beIdle(0)
  expect(titled).toEqual([])
  beIdle(4)
  expect(titled).toEqual(ids)
  beIdle(4)
  expect(titled).toEqual(ids)
  for (let times = 0; waiting.length > 0 && times < 10; times++) beIdle(50)
  expect(waiting).toEqual([])
  expect(titled.length).toBeGreaterThan(ids.length)
})

test('the preparation of the words ends with the commands that it is for', () => {
  const end = prepare()
  beIdle(0)
  end()
  beIdle(50)
  expect(titled).toEqual([])
  expect(waiting).toEqual([])
})
