import { createStore } from 'jotai'
import { beforeEach, expect, it } from 'vitest'
import { activityAtom } from '../../src/state/activity.ts'

let store = createStore()
const add = (what: string) => store.set(activityAtom, { what, outcome: 'done', detail: '' })

beforeEach(() => {
  store = createStore()
})

it('the activity of a session has the newest entry first, each with its time and a unique id (R6)', () => {
  const before = Date.now()
  add('first')
  add('second')
  const entries = store.get(activityAtom)
  expect(entries.map(({ what }) => what)).toEqual(['second', 'first'])
  expect(entries[0]?.at.getTime()).toBeGreaterThanOrEqual(before)
  expect(new Set(entries.map(({ id }) => id)).size).toBe(2)
})

it('the activity of a session keeps the newest 500 entries', () => {
  for (let at = 1; at <= 503; at++) add(String(at))
  const entries = store.get(activityAtom)
  expect(entries).toHaveLength(500)
  expect(entries[0]?.what).toBe('503')
  expect(entries.at(-1)?.what).toBe('4')
})

it('the activity of a session is empty after null is written', () => {
  add('mine')
  store.set(activityAtom, null)
  expect(store.get(activityAtom)).toEqual([])
})
