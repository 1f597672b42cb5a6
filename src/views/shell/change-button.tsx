import type { KeyboardEvent } from 'react'
import { useEffect, useRef, useState } from 'react'
import { isSpelled, longest } from '../../commands/key-changes.ts'
import { isModifier, keyOf } from '../../commands/keys.ts'
import { KeyHint } from '../ui/key-hint.tsx'

/** How long to wait for the next key of a sequence, in milliseconds. */
const pause = 1000

interface ChangeButtonProps {
  about: string
  isRecording: boolean
  start: () => void
  stop: () => void
  /** Called with the pressed keys. */
  take: (keys: string) => void
}

/** Reads new keys for a command: one key or a sequence, which ends with a pause. Escape and Tab end it without keys. */
export function ChangeButton({ about, isRecording, start, stop, take }: ChangeButtonProps) {
  const [pressed, setPressed] = useState('')
  const latest = useRef({ stop, take })
  useEffect(() => {
    latest.current = { stop, take }
  })
  useEffect(() => {
    if (!pressed) return
    const end = () => {
      setPressed('')
      latest.current.stop()
      latest.current.take(pressed)
    }
    const isWhole = pressed.includes('mod+') || pressed.split(' ').length === longest
    const timer = setTimeout(end, isWhole ? 0 : pause)
    return () => clearTimeout(timer)
  }, [pressed])
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isRecording || isModifier(event.nativeEvent)) return
    if (event.key === 'Escape' || event.key === 'Tab') {
      setPressed('')
      stop()
      return
    }
    // All other keys are read and do nothing else.
    event.preventDefault()
    event.stopPropagation()
    const key = keyOf(event.nativeEvent)
    if (key !== null && isSpelled(key)) setPressed(pressed ? `${pressed} ${key}` : key)
  }
  return (
    <button
      type="button"
      aria-label={isRecording ? `Press the new keys of ${about}` : `Change the keys of ${about}`}
      aria-pressed={isRecording}
      onClick={({ currentTarget }) => {
        if (isRecording) return
        // A click gives no focus in Safari.
        currentTarget.focus()
        start()
      }}
      onBlur={() => {
        setPressed('')
        if (isRecording) stop()
      }}
      onKeyDown={onKeyDown}
    >
      {!isRecording && 'Change'}
      {isRecording && (pressed ? <KeyHint keys={pressed} /> : 'Press keys…')}
    </button>
  )
}
