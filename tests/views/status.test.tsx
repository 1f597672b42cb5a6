import { screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { serve } from '../support/network.ts'
import { renderApp } from '../support/render-app.tsx'
import { wirePage } from '../support/wire.ts'

it.each([
  {
    of: 'trip',
    clause: 'S4.4',
    path: '/trips',
    call: 'trips/',
    colours: {
      Completed: 'green',
      Ongoing: 'amber',
      Cancelled: 'red',
      Pending: 'blue',
      completed: 'blue',
      constructor: 'blue',
    },
  },
  {
    of: 'booking',
    clause: 'S4.5',
    path: '/bookings',
    call: 'pre-bookings/',
    colours: {
      Completed: 'green',
      Ongoing: 'amber',
      'Not Started': 'red',
      Accepted: 'blue',
      Pending: 'red',
      Cancelled: 'teal',
      constructor: 'teal',
    },
  },
])(
  'the status of a $of has the specified colour, an unknown status the default colour ($clause)',
  async (given) => {
    const rows = Object.keys(given.colours).map((status, id) => ({ id, status }))
    serve({ [`GET ${given.call}`]: wirePage(rows) })
    renderApp({ path: given.path })
    await screen.findByText('Completed')
    const shown = rows.map(({ status }) => [status, screen.getByText(status).dataset['tone']])
    expect(Object.fromEntries(shown)).toEqual(given.colours)
  },
)

it('a booking shows Paid in green or Not paid in red, and neither if the server does not say (S2.j.2)', async () => {
  serve({ 'GET pre-bookings/': wirePage([{ id: 1, paid: true }, { id: 2, paid: false }, { id: 3 }]) })
  renderApp({ path: '/bookings' })
  expect((await screen.findByText('Paid')).dataset['tone']).toBe('green')
  expect(screen.getAllByText('Not paid').map(({ dataset }) => dataset['tone'])).toEqual(['red'])
})
