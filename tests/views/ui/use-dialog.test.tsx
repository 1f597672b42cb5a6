import { act, renderHook } from '@testing-library/react'
import { getDefaultStore } from 'jotai'
import { describe, expect, it } from 'vitest'
import { closeDialog, dialogAtom } from '../../../src/state/dialog.ts'
import { useDialog } from '../../../src/views/ui/use-dialog.ts'

describe('a dialog', () => {
  it('is rendered again when it opens and closes, not when another one does', () => {
    let renders = 0
    const { result } = renderHook(() => {
      renders++
      return useDialog('help')
    })
    const show = (kind: 'palette' | 'help') => act(() => getDefaultStore().set(dialogAtom, { kind }))
    show('palette')
    expect([result.current, renders]).toEqual([null, 1])
    show('help')
    expect([result.current, renders]).toEqual([{ kind: 'help' }, 2])
    act(closeDialog)
    expect([result.current, renders]).toEqual([null, 3])
  })
})
