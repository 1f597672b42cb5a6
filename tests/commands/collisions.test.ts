import { describe, expect, it } from 'vitest'
import type { Command } from '../../src/commands/command.ts'
import { conflictOf, isSpelled } from '../../src/commands/key-changes.ts'
import { openCreated } from '../../src/commands/open-created.ts'
import { saveView } from '../../src/commands/views.ts'
import { commands as early } from '../../src/views/app.tsx'

/** With those that are loaded after the first screen. */
const commands = [...early, openCreated, saveView]

const keyed = commands.flatMap((command) =>
  [command.keys, command.alsoKeys].flatMap((keys) =>
    keys === undefined ? [] : [{ id: command.id, keys, command }],
  ),
)

const test = (id: string, keys: string): Command => ({ id, keys, about: id, title: () => id, run() {} })

describe('the default keys of every command', () => {
  it('are spelled as keys are', () => {
    expect(keyed.length).toBeGreaterThan(40)
    expect(keyed.filter(({ keys }) => !isSpelled(keys)).map(({ id }) => id)).toEqual([])
  })

  it.each(keyed)(
    '$id ($keys) collide with no other command and with no key of the browser',
    ({ command, keys }) => {
      // As new keys of another command with this id: its own default keys are not compared with those of the browser.
      // Only undo may have keys that text fields use: it does nothing there.
      const asked = keys === 'mod+z' ? command : test(command.id, 'none')
      expect(conflictOf(keys, asked, commands)).toBeNull()
    },
  )

  it('would be refused if they collided', () => {
    const taken = ['s', 'd', 'd d', 'd d d', 'g', 'g d', 'g d x', ',', 'z', 'mod+k', 'shift+j']
    const accepted = taken.filter((keys) => conflictOf(keys, test('test.new', keys), commands) === null)
    expect(accepted).toEqual([])
    const free = ['q', 'shift+q', 'q q', 'mod+m', 'g q']
    expect(free.filter((keys) => conflictOf(keys, test('test.new', keys), commands) !== null)).toEqual([])
  })

  it.each([
    ...'tnwrpfldjho1'.split('').map((key) => `mod+${key}`),
    ...['mod+shift+t', 'mod+shift+n', 'mod+tab', 'mod+=', 'mod+-', 'mod+0', 'f5', 'f11'],
    ...['mod+c', 'mod+v', 'mod+x', 'mod+a', 'mod+y', 'mod+z'],
    ...['tab', 'shift+tab', 'escape', 'space', 'arrowdown', 'home', 'pageup', 'backspace', 'q mod+w'],
  ])('can never be %s', (keys) => {
    expect(conflictOf(keys, test('test.new', 'q'), commands)).not.toBeNull()
  })
})
