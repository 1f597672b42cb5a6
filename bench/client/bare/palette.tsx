import { Command } from 'cmdk'
import type { List } from '../lists.ts'
import { lists } from '../lists.ts'
import { ask } from './pages.ts'

export interface PaletteProps {
  close: () => void
  go: (list: List) => void
}

/** Goes to the screens. It asks for the rows of the highlighted one before Enter. */
export default function Palette({ close, go }: PaletteProps) {
  return (
    <Command.Dialog
      open
      onOpenChange={(open) => !open && close()}
      label="Jump to"
      className="palette"
      onValueChange={(title) => {
        const list = lists.find((one) => one.title === title)
        if (list) ask(list)
      }}
    >
      <Command.Input placeholder="Jump to…" />
      <Command.List>
        <Command.Empty>No results.</Command.Empty>
        {lists.map((list) => (
          <Command.Item key={list.name} value={list.title} onSelect={() => go(list)}>
            {list.title}
          </Command.Item>
        ))}
      </Command.List>
    </Command.Dialog>
  )
}
