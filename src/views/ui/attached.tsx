import { useAtomValue, useSetAtom } from 'jotai'
import type { HTMLAttributes, Ref } from 'react'
import { useImperativeHandle, useLayoutEffect } from 'react'
import type { Trigger } from './trigger.ts'

interface AttachedProps extends HTMLAttributes<HTMLElement> {
  to: Trigger
  ref?: Ref<HTMLElement | null>
}

/** The child of a Radix trigger with `asChild`. Renders nothing: it passes what Radix gives it on to an existing element. */
export function Attached({ to, ref, ...added }: AttachedProps) {
  const element = useAtomValue(to.elementAtom)
  const add = useSetAtom(to.addedAtom)
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => element, [element])
  useLayoutEffect(() => add(added))
  return null
}
