import { expect, test } from 'vitest'
import type { Command } from '../../../src/commands/command.ts'
import { rowsFor } from '../../../src/commands/find/rows.ts'
import { seeded } from '../../support/random.ts'

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

test('after one title has changed, the commands before and after it are found by theirs', () => {
  let title = 'Show'
  const changing = { ...command('map'), about: 'Map', title: () => title }
  const all = [command('Alpha bay'), changing, command('Gamma bay'), command('Delta bay')]
  expect(titles('bay', all)).toEqual(['Alpha bay', 'Gamma bay', 'Delta bay'])
  for (const next of ['Show the map of all bays and towns', '', 'Bay']) {
    title = next
    expect(titles('alpha', all)).toEqual(['Alpha bay'])
    expect(titles('gamma', all)).toEqual(['Gamma bay'])
    expect(titles('delta', all)).toEqual(['Delta bay'])
    expect(titles('towns', all)).toEqual(next.includes('towns') ? [next] : [])
  }
})

test('of 3,000 commands, any beginnings of words find the same as a look at each command', () => {
  const random = seeded(7)
  const pick = (of: readonly string[]) => of[Math.floor(random() * of.length)] ?? ''
  const parts = ['Ka', 'Ma', 'Ki', 'Chu', 'Nai', 'Ro', 'Bi']
  const word = () => pick(parts) + pick(parts).toLowerCase() + pick(['', 'u', 'ni'])
  const all = Array.from({ length: 3000 }, (_, at) => `${word()} ${word()} ${word()} ${String(at)}`)
  const commands = all.map(command)
  const wordsOf = (text: string) => text.toLowerCase().split(' ')
  let full = 0
  for (let round = 0; round < 300; round++) {
    const typed = wordsOf(pick(all))
      .slice(0, 1 + Math.floor(random() * 3))
      .map((one) => one.slice(0, 1 + Math.floor(random() * one.length)))
    const fits = (title: string, fit: (word: string, part: string) => boolean) =>
      typed.every((part) => wordsOf(title).some((one) => fit(one, part)))
    const found = all.filter((title) => fits(title, (one, part) => one.startsWith(part)))
    // With fewer, typing errors and the middles of words count too.
    if (found.length < 20) continue
    full++
    const isWhole = (title: string) => fits(title, (one, part) => one === part)
    const best = [...found.filter(isWhole), ...found.filter((title) => !isWhole(title))].slice(0, 20)
    expect([typed, titles(typed.join(' '), commands)]).toEqual([typed, best])
  }
  expect(full).toBeGreaterThan(50)
})
