import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { callsTo, hold, refuse, serve } from '../support/network.ts'
import { renderApp, toasts } from '../support/render-app.tsx'
import { wirePage } from '../support/wire.ts'

const saved: string[] = []
beforeEach(() => {
  saved.length = 0
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download)
  })
})

const file = (disposition?: string) =>
  new Response('sheet', { headers: disposition ? { 'content-disposition': disposition } : {} })

describe.each([
  {
    title: 'Export Drivers to Excel',
    path: '/riders',
    call: 'GET drivers-export-excel/',
    fallback: 'drivers_data.xlsx',
    clauses: 'S2.d.1, S7.9',
  },
  {
    title: 'Export Customers to Excel',
    path: '/customers',
    call: 'GET customers-export-excel/',
    fallback: 'customers_data.xlsx',
    clauses: 'S2.f.1, S7.10',
  },
])('$title', ({ title, path, call, fallback, clauses }) => {
  const idle = () => screen.queryByRole('button', { name: title })
  const busy = () => screen.queryByRole('button', { name: 'Downloading...' })

  async function start() {
    const reply = hold()
    serve({ 'GET drivers/': wirePage([]), [call]: reply.answer })
    const { user } = renderApp({ path })
    await user.click(await screen.findByRole('button', { name: title }))
    return { user, reply }
  }

  it(`says Downloading... until the file is saved under the server's name (${clauses}, S4.11)`, async () => {
    const { user, reply } = await start()
    expect(busy()?.getAttribute('aria-disabled')).toBe('true')
    expect(idle()).toBeNull()
    await user.click(screen.getByText('Downloading...'))
    reply.give(file('attachment; filename="november.xlsx"'))
    await waitFor(() => expect(idle()).toBeTruthy())
    expect(busy()).toBeNull()
    expect(saved).toEqual(['november.xlsx'])
    expect(callsTo(call)).toHaveLength(1)
    expect(toasts()).toEqual([])
  })

  it('has its own name for a file that comes without one (S9.11)', async () => {
    const { reply } = await start()
    reply.give(file())
    await waitFor(() => expect(saved).toEqual([fallback]))
  })

  it('that failed says so, saves nothing and is idle again (S8.3, S4.11)', async () => {
    const { reply } = await start()
    reply.give(refuse(500, 'Boom'))
    await waitFor(() => expect(toasts()).toEqual(['Failed to download the data. Please try again.']))
    expect(idle()).toBeTruthy()
    expect(saved).toEqual([])
  })

  it('that is called off says nothing and is idle again', async () => {
    const { user } = await start()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(idle()).toBeTruthy())
    expect(callsTo(call)[0]?.signal.aborted).toBe(true)
    expect(toasts()).toEqual([])
    expect(saved).toEqual([])
  })
})
