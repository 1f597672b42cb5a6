import { useAtomValue } from 'jotai'
import type { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { Attached } from './attached.tsx'
import { overlaysAtom } from './overlays.ts'
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
  const overlays = useAtomValue(overlaysAtom)
  if (!overlays) return null
  const { Root, Trigger, Content } = overlays.DropdownMenu
  return (
    <Root modal={false} {...state}>
      <Trigger asChild>
        <Attached to={trigger} />
      </Trigger>
      <Content className={className} align="end" sideOffset={6}>
        {children(overlays.DropdownMenu)}
      </Content>
    </Root>
  )
}
