import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { Attached } from '../ui/attached.tsx'
import { KeyHint } from '../ui/key-hint.tsx'
import type { Overlays } from '../ui/overlays.ts'
import { overlaysAtom } from '../ui/overlays.ts'
import type { Trigger } from '../ui/trigger.ts'
import styles from './shell.module.css'

interface HintProps {
  trigger: Trigger
  text: string
  keys: string | undefined
  /** What screen readers say instead of its text and keys. */
  name?: string
  side: 'right' | 'top'
  /** The distance from the element, in pixels. */
  offset: number
  /** How long the pointer rests before it appears, in milliseconds. */
  delay: number
  isOff?: boolean
}

/** The tooltip of a button or link: its name and its keys. */
export function Hint(props: HintProps) {
  const overlays = useAtomValue(overlaysAtom)
  return overlays && <Loaded {...overlays.Tooltip} {...props} />
}

function Loaded({
  Provider,
  Root,
  Trigger,
  Portal,
  Content,
  trigger,
  text,
  keys,
  name,
  side,
  offset,
  delay,
  isOff = false,
}: HintProps & Overlays['Tooltip']) {
  const element = useAtomValue(trigger.elementAtom)
  // The element may have got the focus before this code came.
  const [isHinted, setHinted] = useState(() => element?.matches(':focus-visible') ?? false)
  return (
    <Provider delayDuration={delay} skipDelayDuration={300}>
      <Root open={isHinted && !isOff} onOpenChange={setHinted}>
        <Trigger asChild>
          <Attached to={trigger} />
        </Trigger>
        <Portal>
          <Content className={styles.tooltip} side={side} sideOffset={offset} aria-label={name}>
            {text} {keys && <KeyHint keys={keys} />}
          </Content>
        </Portal>
      </Root>
    </Provider>
  )
}
