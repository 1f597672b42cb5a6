import { useAtomValue } from 'jotai'
import { Tooltip } from 'radix-ui'
import type { HTMLAttributes, Ref } from 'react'
import { useEffect, useImperativeHandle, useState } from 'react'
import type { Command } from '../../commands/command.ts'
import { keysOfAtom } from '../../commands/keymap.ts'
import { lateCommandsAtom } from '../../commands/late.ts'
import { KeyHint } from '../ui/key-hint.tsx'
import styles from './shell.module.css'

/** S9.8: how long the pointer rests before a tooltip appears, unless another one was shown so short a time ago. */
const delay = 700
const skipDelay = 300

/**
 * The tooltips of all buttons and links of commands: the name where no text is visible, and the keys. One listener serves all
 * of them, as a page can have a thousand such buttons. `data-hint="right"` marks the icons of the sidebar, whose tooltips
 * have no delay, and `data-hint="off"` what has none.
 */
export function Tooltips({ commands }: { commands: readonly Command[] }) {
  const [element, setElement] = useState(() => hintedBy(document.activeElement))
  const late = useAtomValue(lateCommandsAtom)
  const keysOf = useAtomValue(keysOfAtom)
  useEffect(() => watchHints(setElement), [])
  if (!element) return null
  const { command: id, hint } = element.dataset
  const command = [...commands, ...late].find((one) => one.id === id)
  const keys = command && keysOf(command)
  if (!keys && !isIcon(element)) return null
  const text = element.getAttribute('aria-label') ?? element.textContent
  const isAtSide = hint === 'right'
  return (
    <Tooltip.Provider>
      <Tooltip.Root
        open
        // Radix may close the tooltip of an element that the pointer has left when that of another is about to be shown.
        onOpenChange={(isOpen) => !isOpen && setElement((now) => (now === element ? null : now))}
      >
        <Tooltip.Trigger asChild>
          <Described element={element} />
        </Tooltip.Trigger>
        <Tooltip.Portal>
          <Tooltip.Content
            className={styles.tooltip}
            side={isAtSide ? 'right' : 'top'}
            sideOffset={isAtSide ? 6 : 4}
            collisionPadding={8}
            // The keys of a screen are no description of its link.
            {...(isAtSide && { 'aria-label': text })}
          >
            {text} {keys && <KeyHint keys={keys} />}
          </Tooltip.Content>
        </Tooltip.Portal>
      </Tooltip.Root>
    </Tooltip.Provider>
  )
}

interface DescribedProps extends HTMLAttributes<HTMLElement> {
  element: HTMLElement
  ref?: Ref<HTMLElement>
}

/** Gives Radix an element that is on screen already, and the element its description while the tooltip is shown. */
function Described({ element, ref, 'aria-describedby': id }: DescribedProps) {
  useImperativeHandle(ref, () => element, [element])
  useEffect(() => {
    if (id === undefined || element.hasAttribute('aria-describedby')) return
    element.setAttribute('aria-describedby', id)
    return () => element.removeAttribute('aria-describedby')
  }, [element, id])
  return null
}

/** Calls `show` with the element whose tooltip is to be shown, and with null when it is to be hidden. Returns how to stop. */
function watchHints(show: (element: HTMLElement | null) => void): () => void {
  const stop = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let over: HTMLElement | null = null
  let shown = hintedBy(document.activeElement)
  let leftAt = -Infinity
  const appear = (element: HTMLElement) => {
    shown = element
    show(element)
  }
  const hide = () => {
    clearTimeout(timer)
    // React keeps each state that is set, also the same one again, until the component is rendered.
    if (!shown) return
    shown = null
    show(null)
  }
  const listen = <Name extends keyof DocumentEventMap>(
    names: readonly Name[],
    act: (event: DocumentEventMap[Name]) => void,
  ) => {
    for (const name of names)
      document.addEventListener(name, act, { capture: true, passive: true, signal: stop.signal })
  }
  listen(['pointerover'], ({ target }) => {
    if (over === hintOf(target)) return
    if (over && shown === over) leftAt = performance.now()
    if (shown?.isConnected === false) hide()
    clearTimeout(timer)
    over = null
  })
  // The page may also move an element under a pointer that rests: `pointerover` comes then too, but nobody has pointed.
  listen(['pointermove'], ({ target, pointerType }) => {
    const next = pointerType === 'touch' ? null : hintOf(target)
    if (!next || next === over) return
    over = next
    const isAtOnce = next.dataset['hint'] === 'right' || performance.now() - leftAt < skipDelay
    if (isAtOnce) appear(next)
    else timer = setTimeout(() => appear(next), delay)
  })
  listen(['focusin'], ({ target }) => {
    const next = hintedBy(target)
    if (next) appear(next)
  })
  listen(['focusout', 'keydown', 'pointerdown'], hide)
  return () => {
    clearTimeout(timer)
    stop.abort()
  }
}

/** The button or link that a tooltip can be shown for; not where the browser shows a `title`, or the keys are visible. */
function hintOf(target: EventTarget | null): HTMLElement | null {
  const element = target instanceof Element ? target.closest('button[data-command],a[data-command]') : null
  if (!(element instanceof HTMLElement) || element.dataset['hint'] === 'off') return null
  return element.matches('[title]:not([title=""]),[aria-expanded=true],:has(kbd)') ? null : element
}

/** The same for an element that has got the focus by the keyboard: only where nothing else names it. */
function hintedBy(target: EventTarget | null): HTMLElement | null {
  const element = hintOf(target)
  return element?.matches(':focus-visible') && isIcon(element) ? element : null
}

const isIcon = (element: HTMLElement) =>
  element.dataset['hint'] === 'right' || element.textContent.trim() === ''
