import { render } from '@testing-library/react'
import { getDefaultStore } from 'jotai'
import { useLayoutEffect } from 'react'
import { expect, it } from 'vitest'
import { navigate } from '../../../src/state/location.ts'
import { askedForAtom, endSession, startSession } from '../../../src/state/session.ts'
import { Guard } from '../../../src/views/shell/guard.tsx'

/** Its effect runs after the guard was rendered and before the effect of the guard. */
function SessionOfAnotherTab() {
  useLayoutEffect(() => startSession({ token: 'shared', email: 'asha@twende.test' }), [])
  return null
}

it('stays at the address if another tab sends its session right after the guard was rendered without one (S2.b.5)', () => {
  endSession()
  navigate('/riders')
  const { container } = render(
    <>
      <Guard>Drivers</Guard>
      <SessionOfAnotherTab />
    </>,
  )
  expect(container.textContent).toBe('Drivers')
  expect(window.location.pathname).toBe('/riders')
  expect(getDefaultStore().get(askedForAtom)).toBeNull()
})
