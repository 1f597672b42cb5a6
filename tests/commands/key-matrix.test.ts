import { describe, expect, it } from 'vitest'
import type { Command } from '../../src/commands/command.ts'
import { keyOf, mayFire, press } from '../../src/commands/keys.ts'
import { commands } from '../../src/views/app.tsx'

/** The positions of the printed keys, row by row, named as `event.code` names them. */
const positions = [
  ...['Backquote', ...'1234567890'.split('').map((digit) => `Digit${digit}`), 'Minus', 'Equal'],
  ...'QWERTYUIOP'.split('').map((letter) => `Key${letter}`),
  ...['BracketLeft', 'BracketRight'],
  ...'ASDFGHJKL'.split('').map((letter) => `Key${letter}`),
  ...['Semicolon', 'Quote', 'Backslash', 'IntlBackslash'],
  ...'ZXCVBNM'.split('').map((letter) => `Key${letter}`),
  ...['Comma', 'Period', 'Slash'],
]

/**
 * What each position produces without and with Shift, in the order of `positions`, separated by spaces. `Dead` is a
 * dead key.
 */
interface Layout {
  plain: string
  shifted: string
  /** Characters that need AltGr, and so run no shortcut. */
  withAltGr?: string
}

const layouts: Record<string, Layout> = {
  QWERTY: {
    plain: "` 1 2 3 4 5 6 7 8 9 0 - = q w e r t y u i o p [ ] a s d f g h j k l ; ' \\ < z x c v b n m , . /",
    shifted:
      '~ ! @ # $ % ^ & * ( ) _ + Q W E R T Y U I O P { } A S D F G H J K L : " | > Z X C V B N M < > ?',
  },
  AZERTY: {
    plain:
      '² & é " \' ( - è _ ç à ) = a z e r t y u i o p Dead $ q s d f g h j k l m ù * < w x c v b n , ; : !',
    shifted:
      'Ω 1 2 3 4 5 6 7 8 9 0 ° + A Z E R T Y U I O P Dead £ Q S D F G H J K L M % µ > W X C V B N ? . / §',
    withAltGr: '[]',
  },
  QWERTZ: {
    plain:
      'Dead 1 2 3 4 5 6 7 8 9 0 ß Dead q w e r t z u i o p ü + a s d f g h j k l ö ä # < y x c v b n m , . -',
    shifted:
      '° ! " § $ % & / ( ) = ? Dead Q W E R T Z U I O P Ü * A S D F G H J K L Ö Ä \' > Y X C V B N M ; : _',
    withAltGr: '[]',
  },
  Dvorak: {
    plain: "` 1 2 3 4 5 6 7 8 9 0 [ ] ' , . p y f g c r l / = a o e u i d h t n s - \\ < ; q j k x b m w v z",
    shifted:
      '~ ! @ # $ % ^ & * ( ) { } " < > P Y F G C R L ? + A O E U I D H T N S _ | > : Q J K X B M W V Z',
  },
  'US International': {
    plain:
      'Dead 1 2 3 4 5 6 7 8 9 0 - = q w e r t y u i o p [ ] a s d f g h j k l ; Dead \\ \\ z x c v b n m , . /',
    shifted:
      'Dead ! @ # $ % Dead & * ( ) _ + Q W E R T Y U I O P { } A S D F G H J K L : Dead | | Z X C V B N M < > ?',
  },
  Russian: {
    plain: 'ё 1 2 3 4 5 6 7 8 9 0 - = й ц у к е н г ш щ з х ъ ф ы в а п р о л д ж э \\ / я ч с м и т ь б ю .',
    shifted:
      'Ё ! " № ; % : ? * ( ) _ + Й Ц У К Е Н Г Ш Щ З Х Ъ Ф Ы В А П Р О Л Д Ж Э / | Я Ч С М И Т Ь Б Ю ,',
  },
  Greek: {
    plain:
      "` 1 2 3 4 5 6 7 8 9 0 - = ; ς ε ρ τ υ θ ι ο π [ ] α σ δ φ γ η ξ κ λ Dead ' \\ < ζ χ ψ ω β ν μ , . /",
    shifted:
      '~ ! @ # $ % ^ & * ( ) _ + : Dead Ε Ρ Τ Υ Θ Ι Ο Π { } Α Σ Δ Φ Γ Η Ξ Κ Λ Dead " | > Ζ Χ Ψ Ω Β Ν Μ < > ?',
  },
  Arabic: {
    plain:
      'ذ 1 2 3 4 5 6 7 8 9 0 - = ض ص ث ق ف غ ع ه خ ح ج د ش س ي ب ل ا ت ن م ك ط \\ | ئ ء ؤ ر لا ى ة و ز ظ',
    shifted: 'ّ ! @ # $ % ^ & * ) ( _ + َ ً ُ ٌ لإ إ ‘ ÷ × ؛ < > ِ ٍ ] [ لأ أ ـ ، / : " | ¦ ~ ْ } { لآ آ ’ , . ؟',
  },
}

const isLatin = (name: string) => !['Russian', 'Greek', 'Arabic'].includes(name)
const events = (name: string) => {
  const { plain = '', shifted = '' } = layouts[name] ?? {}
  return [plain, shifted].flatMap((row, at) =>
    row.split(' ').map((key, index) => ({ key, code: positions[index] ?? '', shiftKey: at === 1 })),
  )
}
const keydown = (init: KeyboardEventInit) => new KeyboardEvent('keydown', init)

/** The chords of all commands that are printed keys. */
const chords = [
  ...new Set(commands.flatMap(({ keys = '', alsoKeys = '' }) => `${keys} ${alsoKeys}`.split(' '))),
].filter((chord) => chord !== '' && chord !== 'enter')

/** A keyboard event in which a person with this layout presses a chord; undefined if the layout needs AltGr for it. */
function pressed(layout: string, chord: string): KeyboardEvent | undefined {
  const name = chord.replace(/^(mod\+)?(shift\+)?/, '')
  const isShifted = chord.includes('shift+')
  const us = events('QWERTY').find(({ key }) => key === name)
  const printed = events(layout).find(({ key, shiftKey }) =>
    isShifted ? shiftKey && key === name.toUpperCase() : key === name,
  )
  // Where the letter is not printed, the key at its position on a US keyboard is pressed.
  const placed =
    isLatin(layout) || !us
      ? undefined
      : events(layout).find(
          ({ code, shiftKey }) => code === us.code && shiftKey === (us.shiftKey || isShifted),
        )
  const found = printed ?? placed
  return found && keydown({ ...found, ctrlKey: chord.includes('mod+') })
}

describe.each(Object.keys(layouts))('on a %s keyboard', (layout) => {
  it('has a character for every position', () => {
    for (const row of [layouts[layout]?.plain, layouts[layout]?.shifted])
      expect(row?.split(' ')).toHaveLength(positions.length)
  })

  it.each(chords)('%s is pressed by its printed key', (chord) => {
    const event = pressed(layout, chord)
    if (!event) {
      expect(layouts[layout]?.withAltGr).toContain(chord)
      return
    }
    expect(keyOf(event)).toBe(chord)
  })

  it('no other key is taken for one of them', () => {
    const taken = events(layout).flatMap((init) => {
      const name = keyOf(keydown(init))
      return name !== null && chords.includes(name) ? [{ ...init, name }] : []
    })
    const wrong = taken.filter(({ key, code, shiftKey, name }) => {
      const isPrinted = key.toLowerCase() === name.replace('shift+', '')
      const us = events('QWERTY').find((one) => one.code === code && one.shiftKey === shiftKey)
      const isPlaced = !isLatin(layout) && us?.key.toLowerCase() === name.replace('shift+', '')
      return !isPrinted && !isPlaced
    })
    expect(wrong).toEqual([])
  })

  it('nothing fires on AltGr, on auto-repeat, while composing and after a dead key', () => {
    const more: KeyboardEventInit[] = [
      { modifierAltGraph: true }, // Linux
      { modifierAltGraph: true, ctrlKey: true, altKey: true }, // Windows
      { altKey: true }, // macOS: Option
      { repeat: true },
      { isComposing: true },
    ]
    for (const init of events(layout))
      for (const one of more) expect(keyOf(keydown({ ...init, ...one }))).toBeNull()
    for (const init of events(layout).filter(({ key }) => key === 'Dead'))
      expect(keyOf(keydown(init))).toBeNull()
    for (const code of positions) expect(keyOf(keydown({ key: 'Process', code }))).toBeNull()
  })

  it('CapsLock changes no shortcut', () => {
    for (const chord of chords.filter((one) => /(^|\+)[a-z]$/.test(one))) {
      const event = pressed(layout, chord)
      if (!event) continue
      const { key, code, shiftKey, ctrlKey } = event
      const swapped = key === key.toLowerCase() ? key.toUpperCase() : key.toLowerCase()
      expect(keyOf(keydown({ key: swapped, code, shiftKey, ctrlKey, modifierCapsLock: true }))).toBe(chord)
    }
  })

  it.each(commands.flatMap(({ id, keys }) => (keys === undefined ? [] : [[id, keys] as const])))(
    '%s runs after %s and in no text field',
    (id, keys) => {
      const command: Command = { id, keys, about: id, title: () => id, run() {} }
      const field = document.createElement('input')
      let pending = ''
      let found: Command | null = null
      for (const chord of keys.split(' ')) {
        const event = chord === 'enter' ? keydown({ key: 'Enter', code: 'Enter' }) : pressed(layout, chord)
        if (!event) return
        const name = keyOf(event) ?? ''
        expect(mayFire(name, field, true)).toBe(['mod+k', 'mod+b'].includes(name))
        expect(mayFire(name, document.body, true)).toBe(true)
        ;({ pending, command: found } = press(pending, name, [command]))
      }
      expect(found).toBe(command)
    },
  )
})

it('macOS sends small letters with Cmd and Shift: the chord has its Shift', () => {
  expect(keyOf(keydown({ key: 'k', code: 'KeyK', metaKey: true, shiftKey: true }))).toBe('mod+shift+k')
})
