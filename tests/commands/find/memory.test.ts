import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { forgetWithSession } from '../../../src/commands/app.ts'
import { familiarity, noteUse, recents } from '../../../src/commands/find/memory.ts'
import { endSession, startSession } from '../../../src/state/session.ts'

const used = (id: string) => ({ id, title: id, detail: '', noun: 'driver', href: `/riders/${id}` })
const day = 24 * 3_600_000

afterEach(() => {
  vi.useRealTimers()
})

describe('what was run in the palette', () => {
  it('is listed with the last first, each row once', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 })
    for (const id of ['a', 'b', 'a']) {
      vi.setSystemTime(Date.now() + 1000)
      noteUse(used(id))
    }
    expect(recents().map(({ id }) => id)).toEqual(['a', 'b'])
  })

  it('counts less the longer ago it was: half after a week', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 })
    noteUse(used('a'))
    vi.setSystemTime(7 * day)
    noteUse(used('b'))
    expect(familiarity()('a')).toBeCloseTo(0.5)
    expect(familiarity()('b')).toBeCloseTo(1)
    expect(familiarity()('c')).toBe(0)
  })

  it('keeps the hundred latest rows', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 0 })
    for (let at = 0; at < 130; at++) {
      vi.setSystemTime(at)
      noteUse(used(`row ${at}`))
    }
    expect(recents().map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, nth) => `row ${129 - nth}`))
  })

  it('belongs to one staff member, and is forgotten at logout', () => {
    onTestFinished(forgetWithSession())
    startSession({ token: 'one', email: 'asha@twende.test' })
    noteUse(used('a'))
    startSession({ token: 'two', email: 'baraka@twende.test' })
    expect(recents()).toEqual([])
    startSession({ token: 'one', email: 'asha@twende.test' })
    expect(recents()).toHaveLength(1)
    endSession()
    startSession({ token: 'one', email: 'asha@twende.test' })
    expect(recents()).toEqual([])
  })

  it.each(['', 'nonsense', '{"email":null,"uses":5}', '{"uses":[{"id":1},null]}'])(
    'is nothing if %j is stored',
    (stored) => {
      localStorage.setItem('oms.used', stored)
      expect(recents()).toEqual([])
    },
  )
})
