import type { LucideIcon } from 'lucide-react'
import type { ComponentType } from 'react'
import type { Command } from '../commands/command.ts'
import { columnCommands } from '../commands/list.ts'
import { navigate } from '../state/location.ts'
import { ListView } from './ui/list-view.tsx'
import type { ListSpec } from './ui/list-view.tsx'

/** One screen. Router, sidebar, palette, chords and help read the same declaration. */
export interface Screen {
  /** A route pattern of S2.a. */
  path: string
  title: string
  /** With an icon it is an entry of the side navigation. */
  icon?: LucideIcon
  /** The chord that goes there. */
  keys?: string
  /** What can be done to the records it shows. */
  commands: readonly Command[]
  View: ComponentType
}

/** A screen that is a list; everything about it is in its spec. */
export function listScreen<T extends object>(spec: ListSpec<T> & Pick<Screen, 'icon' | 'keys'>): Screen {
  const { path, title, icon, keys, commands } = spec
  return {
    path,
    title,
    commands: [...commands, ...columnCommands(path, spec.load.noun, spec.columns ?? [])],
    ...(icon && { icon }),
    ...(keys && { keys }),
    View: () => <ListView spec={spec} />,
  }
}

/** What can be done to the records of the screens. */
export const recordCommands = (screens: readonly Screen[]): Command[] => [
  ...new Set(screens.flatMap(({ commands }) => commands)),
]

/** Going to every screen of the side navigation. */
export function goCommands(screens: readonly Screen[]): Command[] {
  return screens.flatMap(({ path, title, icon, keys }): Command[] =>
    icon
      ? [
          {
            id: `go.${path === '/' ? 'dashboard' : path.slice(1)}`,
            about: title,
            title: () => title,
            keywords: 'go to open screen',
            ...(keys && { keys }),
            run: () => navigate(path),
          },
        ]
      : [],
  )
}
