import { atom, useAtomValue, useStore } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import { Toaster, toast } from 'sonner'
import type { Toast as ToastRequest } from '../../commands/toast.ts'
import { toastsAtom } from '../../commands/toast.ts'
import styles from './toast.module.css'

/** S9.9, in milliseconds, not counting time with the pointer over the toast or without window focus (S2.u.4). */
const lifetime = 5000

/** Where toasts appear (S2.u.4): bottom centre, dark. */
export default function Toasts() {
  const store = useStore()
  useEffect(() => {
    const showAll = () => {
      const asked = store.get(toastsAtom)
      if (asked.length === 0) return
      store.set(toastsAtom, [])
      for (const one of asked) show(one)
    }
    showAll()
    return store.sub(toastsAtom, showAll)
  }, [store])
  return (
    <Toaster
      position="bottom-center"
      theme="dark"
      visibleToasts={4}
      swipeDirections={['left', 'right', 'bottom']}
      containerAriaLabel="Notifications"
    />
  )
}

function show({ text, action }: ToastRequest): void {
  toast.custom((id) => <Toast text={text} close={() => toast.dismiss(id)} {...(action && { action })} />, {
    duration: Infinity,
  })
}

const always = atom(true)

interface ToastProps {
  text: string
  close: () => void
  action?: NonNullable<ToastRequest['action']>
}

function Toast({ text, close, action }: ToastProps) {
  const hold = useAttentiveTimeout(close)
  const isOffered = useAtomValue(action?.isOffered ?? always)
  return (
    // A click anywhere closes it (S2.u.4). Keyboard users press Escape in the toast area, or the button.
    <div
      className={styles.toast}
      onClick={(event) => {
        giveBackFocus(event.currentTarget)
        close()
      }}
      {...hold}
    >
      <span>{text}</span>
      {action && isOffered && (
        <button
          type="button"
          data-command={action.command}
          onClick={() => {
            action.run()
          }}
        >
          {action.label}
        </button>
      )}
    </div>
  )
}

/** On blur, sonner returns the focus to the element that had it before; removing a focused toast would lose it. */
function giveBackFocus(toast: HTMLElement): void {
  const { activeElement } = document
  if (activeElement instanceof HTMLElement && toast.contains(activeElement)) activeElement.blur()
}

/** Calls `end` after `lifetime`. The time stops while the toast has pointer or focus, or the window has no focus. */
function useAttentiveTimeout(end: () => void) {
  const [held, setHeld] = useState(false)
  const left = useRef(lifetime)
  const ended = useRef(end)
  useEffect(() => {
    ended.current = end
  })
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let since = 0
    const stop = () => {
      if (timer === undefined) return
      clearTimeout(timer)
      timer = undefined
      left.current -= Date.now() - since
    }
    const start = () => {
      if (timer !== undefined || held || document.hidden || !document.hasFocus()) return
      since = Date.now()
      timer = setTimeout(() => ended.current(), Math.max(left.current, 0))
    }
    start()
    window.addEventListener('blur', stop)
    window.addEventListener('focus', start)
    document.addEventListener('visibilitychange', stop)
    return () => {
      stop()
      window.removeEventListener('blur', stop)
      window.removeEventListener('focus', start)
      document.removeEventListener('visibilitychange', stop)
    }
  }, [held])
  return {
    onPointerEnter: () => setHeld(true),
    onPointerLeave: () => setHeld(false),
    onFocus: () => setHeld(true),
    onBlur: () => setHeld(false),
  }
}
