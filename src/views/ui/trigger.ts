import type { PrimitiveAtom } from 'jotai'
import { atom } from 'jotai'
import type { HTMLAttributes } from 'react'
import { useState } from 'react'

/**
 * A button or link that is on screen before the code of its menu or tooltip. That code adds attributes and handlers to it
 * instead of rendering it: an element that is rendered again would lose the focus.
 */
export interface Trigger {
  elementAtom: PrimitiveAtom<HTMLElement | null>
  /** What the code adds to the element; empty until the code is there. Only the element itself may read it. */
  addedAtom: PrimitiveAtom<HTMLAttributes<HTMLElement>>
  /** Whether it was pressed before anything was added to it. */
  pressedAtom: PrimitiveAtom<boolean>
}

export const useTrigger = (): Trigger =>
  useState(() => ({
    elementAtom: atom<HTMLElement | null>(null),
    addedAtom: atom({}),
    pressedAtom: atom(false),
  }))[0]
