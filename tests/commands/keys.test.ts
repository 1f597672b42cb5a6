import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { Command } from '../../src/commands/command.ts'
import { keyOf, mayFire, press, spell } from '../../src/commands/keys.ts'

const down = (key: string, init: KeyboardEventInit = {}) => new KeyboardEvent('keydown', { key, ...init })

describe('keyOf names a key by the character that the layout produces', () => {
  it.each<[string, string, KeyboardEventInit, string | null]>([
    ['d', 'a letter', { code: 'KeyD' }, 'd'],
    ['a', 'a letter on AZERTY', { code: 'KeyQ' }, 'a'],
    ['?', 'a question mark on AZERTY', { code: 'KeyM', shiftKey: true }, '?'],
    ['d', 'a letter on Dvorak', { code: 'KeyH' }, 'd'],
    ['k', 'a chord on Dvorak', { code: 'KeyV', ctrlKey: true }, 'mod+k'],
    ['/', 'a slash on a German keyboard', { code: 'Digit7', shiftKey: true }, '/'],
    ['z', 'undo on a German keyboard', { code: 'KeyY', ctrlKey: true }, 'mod+z'],
    ['k', 'Cmd on any platform', { metaKey: true }, 'mod+k'],
    ['K', 'a chord with Shift', { ctrlKey: true, shiftKey: true }, 'mod+shift+k'],
    ['A', 'a capital', { shiftKey: true }, 'shift+a'],
    ['A', 'a letter with CapsLock', { modifierCapsLock: true }, 'a'],
    ['K', 'a chord with CapsLock', { ctrlKey: true, modifierCapsLock: true }, 'mod+k'],
    [' ', 'the space bar', {}, 'space'],
    ['Enter', 'Enter', {}, 'enter'],
    ['Enter', 'Shift and Enter', { shiftKey: true }, 'shift+enter'],
    ['ArrowDown', 'an arrow', {}, 'arrowdown'],
    ['?', 'a question mark', { shiftKey: true }, '?'],
    ['@', 'an AltGr character', { ctrlKey: true, altKey: true, modifierAltGraph: true }, null],
    ['[', 'an AltGr bracket', { modifierAltGraph: true }, null],
    ['©', 'an Option character of a Mac', { altKey: true }, null],
    ['k', 'Ctrl and Cmd together', { ctrlKey: true, metaKey: true }, null],
    ['d', 'a held key', { repeat: true }, null],
    ['d', 'a key during composition', { isComposing: true }, null],
    ['Process', 'a key that an input method took', {}, null],
    ['Dead', 'a dead key', {}, null],
    ['Unidentified', 'an unknown key', {}, null],
    ['Shift', 'Shift alone', { shiftKey: true }, null],
    ['Control', 'Ctrl alone', { ctrlKey: true }, null],
    ['Meta', 'Cmd alone', { metaKey: true }, null],
    ['Alt', 'Alt alone', { altKey: true }, null],
    ['AltGraph', 'AltGr alone', {}, null],
    ['CapsLock', 'CapsLock alone', {}, null],
  ])('%j: %s', (key, _what, init, name) => {
    expect(keyOf(down(key, init))).toBe(name)
  })
})

const command = (keys: string): Command => ({
  id: `test.${keys}`,
  about: keys,
  title: () => keys,
  keys,
  run() {},
})
const offered = ['g d', 'g h', 'd', 'x', 'mod+k', 'enter', 'a b c'].map(command)

/** Presses one key after another; returns the keys of the commands that ran, and for each key whether it was taken. */
function type(...keys: string[]) {
  let pending = ''
  const ran: (string | undefined)[] = []
  const taken: boolean[] = []
  for (const key of keys) {
    const pressed = press(pending, key, offered)
    pending = pressed.pending
    taken.push(pressed.taken)
    if (pressed.command) ran.push(pressed.command.keys)
  }
  return { ran, pending, taken }
}

describe('a sequence of keys', () => {
  it.each<[string[], string[], string]>([
    [['d'], ['d'], ''],
    [['mod+k'], ['mod+k'], ''],
    [['g'], [], 'g'],
    [['g', 'd'], ['g d'], ''],
    [['g', 'd', 'd'], ['g d', 'd'], ''],
    [['g', 'x'], [], ''],
    [['g', 'x', 'x'], ['x'], ''],
    [['g', 'enter'], [], ''],
    [['g', 'mod+k'], ['mod+k'], ''],
    [['a', 'b', 'mod+k', 'd'], ['mod+k', 'd'], ''],
    [['g', 'g'], [], 'g'],
    [['g', 'g', 'd'], ['g d'], ''],
    [['g', 'a', 'b', 'c'], ['a b c'], ''],
    [['a', 'b'], [], 'a b'],
    [['a', 'b', 'd'], [], ''],
    [['a', 'b', 'g', 'h'], ['g h'], ''],
    [['q'], [], ''],
  ])('%j runs %j and leaves %j pending', (keys, ran, pending) => {
    expect(type(...keys)).toMatchObject({ ran, pending })
  })

  it('takes only its own keys, which the browser then ignores', () => {
    expect(type('g', 'd').taken).toEqual([true, true])
    expect(type('g', 'q').taken).toEqual([true, true])
    expect(type('q', 'mod+p').taken).toEqual([false, false])
    expect(type('g', 'mod+p').taken).toEqual([true, false])
  })

  it('starts only if a command that is offered now begins with its first key', () => {
    expect(press('', 'g', [command('d')])).toEqual({ pending: '', command: null, taken: false })
  })

  it('runs a command only after all its keys', () => {
    const keys = fc.array(fc.constantFrom('g', 'd', 'h', 'x', 'a', 'b', 'c', 'q', 'mod+k'), { maxLength: 12 })
    fc.assert(
      fc.property(keys, (typed) => {
        let pending = ''
        typed.forEach((key, at) => {
          const pressed = press(pending, key, offered)
          pending = pressed.pending
          const length = pressed.command?.keys?.split(' ').length ?? 0
          if (pressed.command)
            expect(typed.slice(at + 1 - length, at + 1).join(' ')).toBe(pressed.command.keys)
        })
      }),
    )
  })
})

describe('mayFire', () => {
  afterEach(() => {
    document.body.innerHTML = ''
  })

  /** The element with the id `here` in this HTML. */
  function target(html: string): Element | null {
    document.body.innerHTML = html
    return document.querySelector('#here')
  }

  const textFields = [
    '<input id="here">',
    '<input id="here" type="search">',
    '<input id="here" type="password">',
    '<input id="here" type="date">',
    '<textarea id="here"></textarea>',
    '<select id="here"></select>',
    '<div contenteditable="true"><b id="here"></b></div>',
    '<div role="menu"><div id="here" tabindex="0"></div></div>',
    '<ul role="listbox"><li id="here" tabindex="0"></li></ul>',
  ]
  it.each(textFields)('allows in %s only chords that editing does not need', (html) => {
    const field = target(html)
    expect(['mod+k', 'mod+b'].map((key) => mayFire(key, field, true))).toEqual([true, true])
    const others = ['s', 'g', '?', '/', 'enter', 'space', 'shift+a', 'escape', 'mod+z', 'mod+a', 'mod+c']
    expect(others.filter((key) => mayFire(key, field, true))).toEqual([])
    expect(['mod+v', 'mod+x', 'mod+y'].filter((key) => mayFire(key, field, true))).toEqual([])
  })

  it.each([
    '<button id="here"></button>',
    '<a id="here" href="/"></a>',
    '<a href="/"><b id="here"></b></a>',
    '<details><summary id="here"></summary></details>',
    '<div id="here" role="button"></div>',
    '<div id="here" role="tab"></div>',
    '<input id="here" type="checkbox">',
    '<label id="here"></label>',
  ])('leaves Enter and Space to %s and allows other keys there', (html) => {
    const control = target(html)
    expect(['enter', 'space'].map((key) => mayFire(key, control, true))).toEqual([false, false])
    expect(['s', 'mod+k', 'mod+z'].map((key) => mayFire(key, control, true))).toEqual([true, true, true])
  })

  it.each(['<td id="here" tabindex="0"></td>', '<main id="here"></main>', '<p></p>'])(
    'allows all keys elsewhere, as in %s',
    (html) => {
      const place = target(html)
      const keys = ['enter', 'space', 's', '?', 'mod+k', 'mod+z', 'escape']
      expect(keys.filter((key) => mayFire(key, place, true))).toEqual(keys)
    },
  )

  it('allows no single-letter keys after they are switched off, but chords and named keys (WCAG 2.1.4)', () => {
    const keys = ['s', 'g', '?', '/', '[', '.', 'mod+k', 'mod+z', 'enter', 'escape']
    expect(keys.filter((key) => mayFire(key, document.body, false))).toEqual([
      'mod+k',
      'mod+z',
      'enter',
      'escape',
    ])
  })
})

it.each<[string, boolean, string[]]>([
  ['mod+k', false, ['Ctrl K']],
  ['mod+k', true, ['⌘K']],
  ['g d', false, ['G', 'D']],
  ['?', false, ['?']],
  ['enter', false, ['Enter']],
  ['shift+arrowdown', true, ['⇧↓']],
])('spell: %s (on a Mac: %j) is written %j', (keys, mac, written) => {
  expect(spell(keys, mac)).toEqual(written)
})
