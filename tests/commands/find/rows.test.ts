import { expect, test } from 'vitest'
import type { Command } from '../../../src/commands/command.ts'
import { rowsFor } from '../../../src/commands/find/rows.ts'

const context = { path: '', targets: [] }
const command = (title: string): Command => ({
  id: title,
  about: title,
  title: () => title,
  run: () => undefined,
})
const titles = (typed: string, commands: readonly Command[], familiar: Record<string, number> = {}) =>
  rowsFor({
    typed,
    context,
    vocabulary: { commands, nouns: [] },
    answers: new Map(),
    familiarity: (id) => familiar[id] ?? 0,
  }).map(({ title }) => title)

test('of many commands that match, the 20 best are found: whole words first, then familiar ones, then in their own order', () => {
  const zones = Array.from({ length: 50 }, (_, at) => `Zones of area ${String(at)}`)
  const all = [...zones, 'Zone'].map(command)
  const familiar = { 'Zones of area 40': 2, 'Zones of area 30': 3, 'Zones of area 45': 2 }
  const expected = ['Zone', ...[30, 40, 45].map((at) => `Zones of area ${String(at)}`), ...zones.slice(0, 16)]
  expect(titles('zone', all, familiar)).toEqual(expected)
  // The same list again, whose words are known now.
  expect(titles('zone', all, familiar)).toEqual(expected)
})

test('a command is found by its present title, in a list that was searched before', () => {
  let title = 'Show the map'
  const all = [{ ...command('map'), about: 'Map', title: () => title }]
  expect(titles('show', all)).toEqual(['Show the map'])
  title = 'Hide the map'
  expect(titles('show', all)).toEqual([])
  expect(titles('hide', all)).toEqual(['Hide the map'])
})
