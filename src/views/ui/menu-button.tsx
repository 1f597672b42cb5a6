import { useAtomValue, useSetAtom } from 'jotai'
import type { ComponentPropsWithoutRef, SyntheticEvent } from 'react'
import { useEffect, useRef } from 'react'
import { earlyPressesAtom } from './overlays.ts'
import type { Trigger } from './trigger.ts'

interface MenuButtonProps extends ComponentPropsWithoutRef<'button'> {
  trigger: Trigger
}

/** The button of a menu. A press before the menu is mounted, or before its code has come, is repeated then. */
export function MenuButton({ trigger, ...props }: MenuButtonProps) {
  const take = useSetAtom(trigger.elementAtom)
  const added = useAtomValue(trigger.addedAtom)
  const notePress = useSetAtom(trigger.pressedAtom)
  const countPress = useSetAtom(earlyPressesAtom)
  const early = useRef<Event | null>(null)
  const isPressed = useRef(false)
  useEffect(() => {
    const again = early.current
    if (!again || !('onPointerDown' in added)) return
    early.current = null
    again.target?.dispatchEvent(copyOf(again))
  }, [added])
  const wait = (event: SyntheticEvent) => {
    event.preventDefault()
    early.current = event.nativeEvent
    notePress(true)
    countPress((presses) => presses + 1)
  }
  const forget = () => {
    early.current = null
  }
  return (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      data-state="closed"
      ref={take}
      onPointerDown={(event) => event.button === 0 && !event.ctrlKey && wait(event)}
      onKeyDown={(event) => {
        if (['Enter', ' ', 'ArrowDown'].includes(event.key)) wait(event)
        else if (event.key === 'Escape') forget()
      }}
      onBlur={forget}
      // In some versions of Firefox the release of Space clicks, though its press was for the menu.
      onKeyUp={(event) => event.preventDefault()}
      // The press made below has no type.
      onPointerDownCapture={({ nativeEvent }) => {
        isPressed.current = nativeEvent.pointerType !== ''
      }}
      // Screen readers and voice control can click without a press, and Radix opens the menu only for a press.
      onClick={({ currentTarget }) => {
        if (!isPressed.current)
          currentTarget.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
        isPressed.current = false
      }}
      {...props}
      {...added}
    />
  )
}

const copyOf = (event: Event) =>
  event instanceof KeyboardEvent ? new KeyboardEvent(event.type, event) : new PointerEvent(event.type, event)
