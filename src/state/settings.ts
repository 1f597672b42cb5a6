import { atom, getDefaultStore } from 'jotai'

type Theme = 'system' | 'light' | 'dark'
type Density = 'comfortable' | 'compact'

interface Settings {
  theme: Theme
  density: Density
  /** Single-letter keys can be switched off (WCAG 2.1.4). */
  singleKeys: boolean
  /** The ids of hidden columns, by the path of their list. */
  hidden: Readonly<Record<string, readonly string[]>>
  /** The ids of the columns after the first one in a chosen order, hidden ones too, by the same names as `hidden`; none for the order of S2. */
  order: Readonly<Record<string, readonly string[]>>
  /** Chosen widths of columns in pixels, by the path of their list, a space, and their id. */
  widths: Readonly<Record<string, number>>
  /** Changed keys, by the id of their command. */
  keys: Readonly<Record<string, string>>
  /** How many views of each list are pinned, by its path: the side navigation has room for them before they are loaded. */
  pinned: Readonly<Record<string, number>>
}

const key = 'oms.settings'
const defaults: Settings = {
  theme: 'system',
  density: 'comfortable',
  singleKeys: true,
  hidden: {},
  order: {},
  widths: {},
  keys: {},
  pinned: {},
}

const valueAtom = atom(read())

/** The preferences of this browser for appearance and keys. Losing them loses no work. */
export const settingsAtom = atom(
  (get) => get(valueAtom),
  (get, set, change: Partial<Settings>) => {
    const settings = { ...get(valueAtom), ...change }
    set(valueAtom, settings)
    apply(settings)
    try {
      localStorage.setItem(key, JSON.stringify(settings))
    } catch {
      return // Blocked storage: the choice lasts as long as this page.
    }
  },
)

// Another tab has changed them: this tab must not store its older ones over them.
window.addEventListener('storage', (event) => {
  if (event.key !== key) return
  getDefaultStore().set(valueAtom, read())
  applySettings()
})

/** Sets theme and density as data attributes of the root element, which the CSS tokens depend on. */
export function applySettings(): void {
  apply(getDefaultStore().get(valueAtom))
}

function apply({ theme, density }: Settings): void {
  const root = document.documentElement
  if (theme === 'system') delete root.dataset['theme']
  else root.dataset['theme'] = theme
  root.dataset['density'] = density
}

function read(): Settings {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    const value = new Map<string, unknown>(
      typeof stored === 'object' && stored !== null ? Object.entries(stored) : [],
    )
    const theme = value.get('theme')
    return {
      theme: theme === 'light' || theme === 'dark' ? theme : defaults.theme,
      density: value.get('density') === 'compact' ? 'compact' : defaults.density,
      singleKeys: value.get('singleKeys') !== false,
      hidden: idsOf(value.get('hidden')),
      order: idsOf(value.get('order')),
      widths: entriesOf(value.get('widths'), (one) => typeof one === 'number'),
      keys: entriesOf(value.get('keys'), (one) => typeof one === 'string'),
      pinned: entriesOf(value.get('pinned'), (one) => typeof one === 'number'),
    }
  } catch {
    return defaults // Corrupt or blocked storage.
  }
}

function idsOf(value: unknown): Settings['hidden'] {
  const lists: [string, unknown][] = Object.entries(typeof value === 'object' && value !== null ? value : {})
  return Object.fromEntries(
    lists.map(([path, ids]) => [path, Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []]),
  )
}

function entriesOf<T>(value: unknown, isValid: (one: unknown) => one is T): Record<string, T> {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
  const entries: [string, unknown][] = Object.entries(isRecord ? value : {})
  return Object.fromEntries(entries.filter((entry): entry is [string, T] => isValid(entry[1])))
}
