import type { KeyboardEvent, ReactNode } from 'react'
import { useId } from 'react'

interface Tab {
  name: string
  label: string
  /** The id of the command that does the same. */
  command: string
}

interface TabsProps {
  label: string
  className: string | undefined
  tabs: readonly Tab[]
  chosen: string
  choose: (name: string) => void
  /** What the chosen tab shows. */
  children: ReactNode
}

/** Tabs of the ARIA pattern: one tab stop; the arrow keys, Home and End choose the tab that they move to. */
export function Tabs({ label, className, tabs, chosen, choose, children }: TabsProps) {
  const id = useId()
  const change = (name: string) => {
    if (name !== chosen) choose(name)
  }
  return (
    <>
      <div role="tablist" aria-label={label} className={className} onKeyDown={moveFocus}>
        {tabs.map(({ name, label, command }) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`${id}-${name}`}
            aria-selected={name === chosen}
            aria-controls={`${id}-panel-${name}`}
            tabIndex={name === chosen ? 0 : -1}
            data-command={command}
            onFocus={() => change(name)}
            onClick={() => change(name)}
          >
            {label}
          </button>
        ))}
      </div>
      <div
        key={chosen}
        role="tabpanel"
        id={`${id}-panel-${chosen}`}
        aria-labelledby={`${id}-${chosen}`}
        tabIndex={0}
      >
        {children}
      </div>
    </>
  )
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  if (event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')]
  const at = tabs.findIndex((tab) => tab === event.target)
  const to = new Map([
    ['ArrowLeft', at - 1],
    ['ArrowRight', (at + 1) % tabs.length],
    ['Home', 0],
    ['End', -1],
  ]).get(event.key)
  if (to === undefined) return
  event.preventDefault()
  tabs.at(to)?.focus()
}
