import { navigate } from '../state/location.ts'
import type { Command } from './command.ts'

/** What the command that opens a screen needs to know of it. */
interface Opened {
  path: string
  title: string
  keys?: string
}

/** The command that opens a screen. */
export const goCommand = ({ path, title, keys }: Opened): Command => ({
  id: `go.${path === '/' ? 'dashboard' : path.slice(1)}`,
  about: title,
  title: () => title,
  keywords: 'go to open screen',
  ...(keys !== undefined && { keys }),
  run: () => navigate(path),
})
