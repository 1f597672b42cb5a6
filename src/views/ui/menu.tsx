import { useAtomValue } from 'jotai'
import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { Attached } from './attached.tsx'
import { ignoreTap } from './touch.ts'
import type { Trigger } from './trigger.ts'

interface MenuProps {
  trigger: Trigger
  className: string | undefined
  /** For a menu that is also opened by a command. */
  open?: boolean
  onOpenChange?: (open: boolean) => void
  children: (parts: typeof DropdownMenu) => ReactNode
}

/**
 * The menu of a button. Without a portal, so that it stays inside the landmark of its button. It is mounted when its button is
 * pressed for the first time. A menu that a command can open too is always mounted: Radix focuses the first item if the menu
 * was opened by a key, and notices only keys that are pressed while it is mounted.
 */
export function Menu({ trigger, className, children, ...state }: MenuProps) {
  const { Root, Trigger, Content } = DropdownMenu
  const isPressed = useAtomValue(trigger.pressedAtom)
  if (!isPressed && state.open === undefined) return null
  return (
    <Root modal={false} {...state}>
      <Trigger asChild>
        <Attached to={trigger} />
      </Trigger>
      <Content className={className} align="end" sideOffset={6} onPointerDownOutside={ignoreTap}>
        {children(DropdownMenu)}
      </Content>
    </Root>
  )
}
