import { getDefaultStore } from 'jotai'
import { describe, expect, it } from 'vitest'
import type { Command } from '../../src/commands/command.ts'
import {
  changeKeys,
  conflictOf,
  exportedKeys,
  importKeys,
  isSpelled,
  resetAllKeys,
  resetKeys,
} from '../../src/commands/key-changes.ts'
import { bindingsOf, keysOf } from '../../src/commands/keymap.ts'
import { preferenceCommands } from '../../src/commands/preferences.ts'
import { settingsAtom } from '../../src/state/settings.ts'
import { commands as early } from '../../src/views/app.tsx'

const store = getDefaultStore()
const commands = [...early, ...preferenceCommands]
const named = (id: string): Command => {
  const found = commands.find((command) => command.id === id)
  if (!found) throw new Error(`There is no command ${id}.`)
  return found
}
const [suspend, unsuspend] = [named('driver.suspend'), named('driver.unsuspend')]
const [undo, clear] = [named('undo.last'), named('invoice.clear')]
const [drivers, theme] = [named('go.riders'), named('theme.dark')]

describe('the keys of a command', () => {
  it('are its own until they are changed, and again after a reset', () => {
    expect(keysOf(suspend)).toBe('s')
    expect(changeKeys(suspend, 'q', commands)).toBeNull()
    expect(keysOf(suspend)).toBe('q')
    expect(resetKeys(suspend, commands)).toBeNull()
    expect(keysOf(suspend)).toBe('s')
    expect(store.get(settingsAtom).keys).toEqual({})
  })

  it('can be given to a command that has none', () => {
    expect(keysOf(theme)).toBeUndefined()
    expect(changeKeys(theme, 'q d', commands)).toBeNull()
    expect(keysOf(theme)).toBe('q d')
    resetAllKeys()
    expect(keysOf(theme)).toBeUndefined()
  })

  it('are not stored if they are its own', () => {
    changeKeys(suspend, 'q', commands)
    changeKeys(suspend, 's', commands)
    expect(store.get(settingsAtom).keys).toEqual({})
  })

  it('that are single letters are not shown after those are switched off (WCAG 2.1.4)', () => {
    store.set(settingsAtom, { singleKeys: false })
    expect([suspend, drivers, named('list.extendDown')].map(keysOf)).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect([undo, named('list.open'), named('palette.open')].map(keysOf)).toEqual(['mod+z', 'enter', 'mod+k'])
  })

  it('that cannot be changed keep working beside the changed ones', () => {
    const list = [undo]
    const keys = () => bindingsOf(list).map(({ keys }) => keys)
    expect(keys()).toEqual(['mod+z', 'z'])
    expect(bindingsOf(list)).toBe(bindingsOf(list))
    changeKeys(undo, 'q', commands)
    expect(keys()).toEqual(['q', 'z'])
  })

  it('can be swapped through a third key', () => {
    expect(changeKeys(suspend, 'u', commands)).not.toBeNull()
    expect(changeKeys(unsuspend, 'q', commands)).toBeNull()
    expect(changeKeys(suspend, 'u', commands)).toBeNull()
    expect(changeKeys(unsuspend, 's', commands)).toBeNull()
    expect(resetKeys(suspend, commands)).toBe('S already runs “Unsuspend the driver”.')
    expect([suspend, unsuspend].map(keysOf)).toEqual(['u', 's'])
  })
})

describe('new keys are refused with a sentence', () => {
  it.each([
    ['u', 'U already runs “Unsuspend the driver”.'],
    ['g d', 'G then D already runs “Drivers”.'],
    ['z', 'Z already runs “Undo the last action”.'],
    ['g', 'G cannot be used: G then H, the keys of “Dashboard”, begin with it.'],
    ['j k', 'J then K cannot be used: it begins with J, which runs “Next row”.'],
    ['mod+t', 'Ctrl T belongs to the browser.'],
    ['mod+w', 'Ctrl W belongs to the browser.'],
    ['mod+n', 'Ctrl N belongs to the browser.'],
    ['mod+shift+n', 'Ctrl Shift N belongs to the browser.'],
    ['f5', 'F5 belongs to the browser.'],
    ['mod+c', 'Ctrl C belongs to text fields.'],
    ['tab', 'Tab moves the focus or closes what is open.'],
    ['q escape', 'Esc moves the focus or closes what is open.'],
  ])('%s: %s', (keys, sentence) => {
    expect(changeKeys(suspend, keys, commands)).toBe(sentence)
    expect(keysOf(suspend)).toBe('s')
  })

  it('but commands of different nouns can share keys, as they are never offered together', () => {
    expect(conflictOf('s', clear, commands)).toBeNull()
    expect(conflictOf('j', clear, commands)).not.toBeNull()
  })
})

describe('the file with keys', () => {
  it('brings the changed keys to another browser', () => {
    changeKeys(suspend, 'q', commands)
    changeKeys(theme, 'mod+m', commands)
    const file = exportedKeys()
    resetAllKeys()
    expect(importKeys(file, commands)).toEqual([])
    expect([suspend, theme].map(keysOf)).toEqual(['q', 'mod+m'])
  })

  it('can swap the keys of two commands', () => {
    const keys = { 'driver.suspend': 'u', 'driver.unsuspend': 's' }
    expect(importKeys(JSON.stringify({ keys }), commands)).toEqual([])
    expect([suspend, unsuspend].map(keysOf)).toEqual(['u', 's'])
  })

  it.each<[unknown, string[]]>([
    ['{', ['The file is not valid JSON.']],
    [[], ['The file must hold an object “keys” with command ids and their keys.']],
    [{ keys: ['q'] }, ['The file must hold an object “keys” with command ids and their keys.']],
    [{ keys: null }, ['The file must hold an object “keys” with command ids and their keys.']],
    [{ keys: { 'driver.fly': 'q' } }, ['There is no command “driver.fly”.']],
    [
      { keys: { 'driver.suspend': 5, 'driver.unsuspend': 'Ctrl+Q' } },
      [
        '“Suspend the driver”: 5 is no key. Keys are written like “k”, “g d” or “mod+k”.',
        '“Unsuspend the driver”: "Ctrl+Q" is no key. Keys are written like “k”, “g d” or “mod+k”.',
      ],
    ],
    [
      { keys: { 'driver.suspend': 'u', 'theme.dark': 'q' } },
      ['“Suspend the driver”: U already runs “Unsuspend the driver”.'],
    ],
    [
      { keys: { 'theme.light': 'q', 'theme.dark': 'q' } },
      ['“Light theme”: Q already runs “Dark theme”.', '“Dark theme”: Q already runs “Light theme”.'],
    ],
    [{ keys: { 'theme.dark': 'mod+t' } }, ['“Dark theme”: Ctrl T belongs to the browser.']],
  ])('%j is refused as a whole, with the reasons', (file, reasons) => {
    changeKeys(suspend, 'x x', commands)
    changeKeys(suspend, 'q', commands)
    const json = typeof file === 'string' ? file : JSON.stringify(file)
    expect(importKeys(json, commands)).toEqual(reasons)
    expect(store.get(settingsAtom).keys).toEqual({ 'driver.suspend': 'q' })
  })
})

it.each([
  ['k', true],
  ['?', true],
  ['é', true],
  ['g d', true],
  ['g d x', true],
  ['mod+k', true],
  ['mod+shift+k', true],
  ['shift+enter', true],
  ['f5', true],
  ['', false],
  ['K', false],
  ['shift+?', false],
  ['ctrl+k', false],
  ['g  d', false],
  ['g d x y', false],
  ['banana', false],
])('%j is spelled as keys are: %j', (keys, answer) => {
  expect(isSpelled(keys)).toBe(answer)
})
