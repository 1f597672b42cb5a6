import { navigate } from '../state/location.ts'
import type { Command } from './command.ts'
import { allNouns } from './noun.ts'

/** What the command that opens a screen needs to know of it. */
interface Opened {
  path: string
  title: string
  keys?: string
  /** Other names for it that people type, besides those of the noun that it lists. */
  words?: readonly string[]
}

/** The id of the command that opens a screen. */
export const goId = (path: string) => `go.${path === '/' ? 'dashboard' : path.slice(1)}`

/** The command that opens a screen. */
export const goCommand = ({ path, title, keys, words = [] }: Opened): Command => ({
  id: goId(path),
  about: title,
  title: () => title,
  keywords: 'go to open show screen page fungua nenda onyesha',
  synonyms: [
    ...words,
    ...[path.slice(1)].filter(Boolean),
    ...allNouns().flatMap(({ singular, plural, words = [], ...noun }) =>
      noun.path === path ? [singular, plural, ...words] : [],
    ),
  ],
  ...(keys !== undefined && { keys }),
  href: path,
  run: () => navigate(path),
})
