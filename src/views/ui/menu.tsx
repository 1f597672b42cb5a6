import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { Attached } from './attached.tsx'
import type { Trigger } from './trigger.ts'

interface MenuProps {
  trigger: Trigger
  className: string | undefined
  open?: boolean
  onOpenChange?: (open: boolean) => void
  children: (parts: typeof DropdownMenu) => ReactNode
}

/** The menu of a button. Without a portal, so that it stays inside the landmark of its button. */
export function Menu({ trigger, className, children, ...state }: MenuProps) {
  const { Root, Trigger, Content } = DropdownMenu
  return (
    <Root modal={false} {...state}>
      <Trigger asChild>
        <Attached to={trigger} />
      </Trigger>
      <Content className={className} align="end" sideOffset={6}>
        {children(DropdownMenu)}
      </Content>
    </Root>
  )
}
