import { useAtomValue } from 'jotai'
import { Tooltip as Radix } from 'radix-ui'
import { useState } from 'react'
import { Attached } from '../ui/attached.tsx'
import { KeyHint } from '../ui/key-hint.tsx'
import type { HintProps } from '../ui/overlays.ts'
import styles from './shell.module.css'

/** The tooltip of a button or link: its name and its keys. */
export function Tooltip({ trigger, text, keys, name, side, offset, delay, isOff = false }: HintProps) {
  const { Provider, Root, Trigger, Portal, Content } = Radix
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
