import { getDefaultStore } from 'jotai'
import { settingsAtom } from '../state/settings.ts'
import { plain } from './app.ts'
import type { Command } from './command.ts'

const store = getDefaultStore()

const theme = (name: 'system' | 'light' | 'dark', about: string) => ({
  name,
  command: plain({
    id: `theme.${name}`,
    about,
    synonyms: name === 'dark' ? ['night mode', 'dark mode'] : [`${name} mode`],
    keywords: 'colour appearance mode settings preferences',
    when: () => store.get(settingsAtom).theme !== name,
    run: () => store.set(settingsAtom, { theme: name }),
  }),
})

/** The colours to choose from, each with its command. */
export const themes = [
  theme('dark', 'Dark theme'),
  theme('light', 'Light theme'),
  theme('system', 'Theme of the system'),
]

const density = (name: 'comfortable' | 'compact', about: string) => ({
  name,
  command: plain({
    id: `density.${name}`,
    about,
    keywords: 'rows spacing size settings preferences',
    when: () => store.get(settingsAtom).density !== name,
    run: () => store.set(settingsAtom, { density: name }),
  }),
})

/** The heights of rows to choose from, each with its command. */
export const densities = [density('compact', 'Compact rows'), density('comfortable', 'Comfortable rows')]

const singleKeys = (on: boolean, about: string) =>
  plain({
    id: on ? 'keys.singleOn' : 'keys.singleOff',
    about,
    keywords: 'shortcuts accessibility speech settings preferences',
    when: () => store.get(settingsAtom).singleKeys !== on,
    run: () => store.set(settingsAtom, { singleKeys: on }),
  })

/** How the console looks and takes keys. They have no keys of their own, so they are loaded with the palette. */
export const preferenceCommands: readonly Command[] = [
  ...[...themes, ...densities].map(({ command }) => command),
  singleKeys(false, 'Switch single-letter keys off'),
  singleKeys(true, 'Switch single-letter keys on'),
]
