/** How long a started sequence waits for its next key, in milliseconds. */
export const chordPause = 1500

/** Chords that text fields need for editing. */
const editing = new Set(['mod+z', 'mod+a', 'mod+c', 'mod+v', 'mod+x', 'mod+y'])

/**
 * The pressed key as `keys` spells it (`mod+k`, `g`, `?`, `shift+enter`), by the character that the keyboard layout
 * produces. Layouts without Latin letters use the US character at the key's position. Null for a modifier alone,
 * auto-repeat, composition (IME: also `Process`), dead keys and AltGr characters.
 */
export function keyOf(event: KeyboardEvent): string | null {
  const { ctrlKey, metaKey, altKey, shiftKey } = event
  if (event.repeat || event.isComposing || isModifier(event)) return null
  if (['Dead', 'Process', 'Unidentified'].includes(event.key)) return null
  if (altKey || event.getModifierState('AltGraph') || (ctrlKey && metaKey)) return null
  const key = isForeign(event.key) ? (usCharacter(event) ?? event.key) : event.key
  const name = key === ' ' ? 'space' : key.toLowerCase()
  const mod = ctrlKey || metaKey ? 'mod+' : ''
  // `shift+` is added to letters and named keys only. A character such as `?` already implies Shift. The letter's own
  // case does not count: CapsLock changes it, and macOS sends small letters with Cmd and Shift.
  const shift = shiftKey && (key.length > 1 || name !== key.toUpperCase()) ? 'shift+' : ''
  return `${mod}${shift}${name}`
}

export const isModifier = ({ key }: KeyboardEvent): boolean =>
  ['Shift', 'Control', 'Alt', 'Meta', 'AltGraph', 'CapsLock'].includes(key)

/** Whether a key produces a character of a script other than Latin. Arabic punctuation counts, `§` and `é` do not. */
const isForeign = (key: string) => /[^\p{scx=Latin}\p{scx=Common}\p{scx=Inherited}]/u.test(key)

/** What the key at the same position produces on a US keyboard, without and with Shift. */
const usKeys: Record<string, string> = {
  Backquote: '`~',
  Minus: '-_',
  Equal: '=+',
  BracketLeft: '[{',
  BracketRight: ']}',
  Backslash: '\\|',
  Semicolon: ';:',
  Quote: '\'"',
  Comma: ',<',
  Period: '.>',
  Slash: '/?',
}

function usCharacter({ code, shiftKey }: KeyboardEvent): string | undefined {
  const letter = /^Key([A-Z])$/.exec(code)?.[1]
  if (letter !== undefined) return letter.toLowerCase()
  const digit = /^Digit(\d)$/.exec(code)?.[1]
  return digit === undefined
    ? usKeys[code]?.[shiftKey ? 1 : 0]
    : shiftKey
      ? ')!@#$%^&*('[Number(digit)]
      : digit
}

/** A command or what stands for it, with its keys. */
interface Keyed {
  keys?: string
}

interface KeyPress<Command extends Keyed> {
  /** The keys of a sequence so far, `` when there is none. */
  pending: string
  /** What to run. */
  command: Command | null
  /** Whether the key belongs to a command or a sequence, so that the browser's own action must be prevented. */
  taken: boolean
}

/** Adds a key to the pending sequence and finds its command among those offered now. */
export function press<Command extends Keyed>(
  pending: string,
  key: string,
  commands: readonly Command[],
): KeyPress<Command> {
  const begins = (sequence: string) => commands.some((one) => one.keys?.startsWith(`${sequence} `))
  const sequence = pending ? `${pending} ${key}` : key
  const command = commands.find((one) => one.keys === sequence)
  if (command) return { pending: '', command, taken: true }
  if (begins(sequence)) return { pending: sequence, command: null, taken: true }
  // Nobody presses Ctrl by mistake for the rest of a sequence.
  if (pending && key.startsWith('mod+')) return press('', key, commands)
  // A wrong key ends the sequence and runs nothing: `g x` must not run `x`. It may begin a new one, as in `g g d`.
  if (pending) return { pending: begins(key) ? key : '', command: null, taken: true }
  return { pending: '', command: null, taken: false }
}

/** Whether a key may act while the focus is in `target`. */
export function mayFire(key: string, target: EventTarget | null, singleKeys: boolean): boolean {
  const chord = key.startsWith('mod+')
  if (isTyping(target)) return chord && !editing.has(key)
  if (key === 'enter' || key === 'space') return !isPressable(target)
  return singleKeys || !isSingle(key)
}

/** Whether keys begin with a character that is pressed without Ctrl or Cmd: those can be switched off (WCAG 2.1.4). */
export const isSingle = (keys: string): boolean => /^(shift\+)?.( |$)/u.test(keys)

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable || target.closest('[role=menu],[role=listbox]')) return true
  if (target instanceof HTMLInputElement)
    return !['checkbox', 'radio', 'button', 'submit'].includes(target.type)
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement
}

function isPressable(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('a,button,summary,[role=button],[role=tab],label,input') !== null
  )
}

/** How keys are written on screen, one text for each chord: `Ctrl K`, or `G` and `D`. */
export function spell(keys: string, mac: boolean): string[] {
  return keys.split(' ').map((chord) =>
    chord
      .split('+')
      .map((part) => names[part]?.[mac ? 1 : 0] ?? part.slice(0, 1).toUpperCase() + part.slice(1))
      .join(mac ? '' : ' '),
  )
}

const names: Record<string, [string, string]> = {
  mod: ['Ctrl', '⌘'],
  shift: ['Shift', '⇧'],
  enter: ['Enter', '↵'],
  space: ['Space', 'Space'],
  arrowup: ['↑', '↑'],
  arrowdown: ['↓', '↓'],
  escape: ['Esc', 'Esc'],
}

export const isMac = /mac/i.test(navigator.userAgent)
