import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { endSession } from '../../../src/state/session.ts'
import type { Call } from '../../support/network.ts'
import { callsTo, hold, lose, refuse, serve } from '../../support/network.ts'
import { renderApp } from '../../support/render-app.tsx'
import { wirePage } from '../../support/wire.ts'

const failed = 'Failed to download the data. Please try again.'

/** Name and address of each file that the browser was told to save. */
let saved: string[]
beforeEach(() => {
  saved = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(`${this.download} ${this.href}`)
  })
})

/** A download whose chunks the test sends one by one. */
function download(disposition = '') {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  const cut = (reason: unknown) => writer.abort(reason).catch(() => undefined)
  const headers = disposition ? { 'content-disposition': disposition } : {}
  return {
    answer: ({ signal }: Call) => {
      signal.addEventListener('abort', () => void cut(signal.reason))
      return new Response(readable, { headers })
    },
    send: (bytes: number) => writer.write(new Uint8Array(bytes)),
    end: async () => {
      await writer.write(new Uint8Array(1))
      await writer.close()
    },
    cut: () => cut(new TypeError('network error')),
  }
}

describe.each([
  ['/riders', 'Drivers', 'GET drivers-export-excel/', 'drivers_data.xlsx', 'S2.d.1, S7.9'],
  ['/customers', 'Customers', 'GET customers-export-excel/', 'customers_data.xlsx', 'S2.f.1, S7.10'],
])('exporting from %s', (path, noun, route, defaultName, clauses) => {
  const label = `Export ${noun} to Excel`
  const button = (name: string) => screen.getByRole('button', { name })
  const open = async () => {
    serve({ 'GET drivers/': wirePage([]), 'GET customers/': wirePage([]) })
    const { user } = renderApp({ path })
    await screen.findByRole('button', { name: label })
    return user
  }

  it(`shows "Downloading..." until the file is complete, then saves it once (S4.11, ${clauses})`, async () => {
    const file = download('attachment; filename="march 2026.xlsx"')
    serve({ [route]: file.answer })
    const user = await open()
    await user.click(button(label))
    expect(button('Downloading...').getAttribute('aria-disabled')).toBe('true')
    await file.send(2_400_000)
    await file.send(1)
    await waitFor(() => expect(screen.getByRole('progressbar', { name: label }).textContent).toBe('2.4 MB'))
    expect(saved).toEqual([])
    await file.end()
    await screen.findByRole('button', { name: label })
    expect(saved).toEqual(['march 2026.xlsx blob:picked'])
    expect(screen.queryByRole('progressbar')).toBeNull()
    expect(screen.queryByText(failed)).toBeNull()
  })

  it.each([
    ['', defaultName],
    ['attachment', defaultName],
    [`attachment; filename="a.xlsx"; filename*=UTF-8''%D8%A8%20b.xlsx`, 'ب b.xlsx'],
    ['attachment; filename="../../etc/passwd"', '.._.._etc_passwd'],
    ["attachment; filename*=UTF-8''%zz", defaultName],
    ['attachment; filename=march 2026.xlsx', 'march 2026.xlsx'],
    ['attachment; filename = march.xlsx ; size=9', 'march.xlsx'],
    ['attachment; Filename="march.xlsx"', 'march.xlsx'],
    ['attachment; filename="the \\"march\\" list.xlsx"', 'the _march_ list.xlsx'],
    ["attachment; filename*=utf-8'en'march%202026.xlsx", 'march 2026.xlsx'],
  ])(`with the header %j saves the file as %s (S9.11, ${clauses})`, async (disposition, expected) => {
    const file = download(disposition)
    serve({ [route]: file.answer })
    const user = await open()
    await user.click(button(label))
    await file.end()
    await waitFor(() => expect(saved).toEqual([`${expected} blob:picked`]))
  })

  it('ignores repeated clicks and keeps the focus (S4.11)', async () => {
    const file = download()
    serve({ [route]: file.answer })
    const user = await open()
    await user.dblClick(button(label))
    await user.click(button('Downloading...'))
    await user.keyboard('{Enter}')
    expect(callsTo(route)).toHaveLength(1)
    expect(document.activeElement).toBe(button('Downloading...'))
    await file.end()
    await screen.findByRole('button', { name: label })
    expect(document.activeElement).toBe(button(label))
    expect(saved).toHaveLength(1)
  })

  it.each([
    ['the server fails', () => refuse(500)],
    ['too many exports are running', () => refuse(503, 'Too many exports are running. Try again later.')],
    ['the connection is lost', () => lose()],
  ])('shows the failure toast and saves no file when %s (S8.3, S4.11)', async (_what, answer) => {
    serve({ [route]: answer })
    const user = await open()
    await user.click(button(label))
    expect(await screen.findByText(failed)).toBeTruthy()
    expect(button(label).getAttribute('aria-disabled')).toBe('false')
    expect(saved).toEqual([])
    expect(callsTo(route)).toHaveLength(1)
  })

  it('shows the failure toast and saves nothing when the download breaks off; the next attempt works (S8.3)', async () => {
    const files = [download(), download()]
    serve({ [route]: (call: Call) => files[callsTo(route).length - 1]?.answer(call) })
    const user = await open()
    await user.click(button(label))
    await files[0]?.send(1000)
    await files[0]?.cut()
    expect(await screen.findByText(failed)).toBeTruthy()
    expect(saved).toEqual([])
    await user.click(button(label))
    await files[1]?.end()
    await waitFor(() => expect(saved).toHaveLength(1))
  })

  it('stops at once when cancelled, without a file and without a toast (S4.11)', async () => {
    const file = download()
    serve({ [route]: file.answer })
    const user = await open()
    await user.click(button(label))
    await user.click(button('Cancel'))
    await screen.findByRole('button', { name: label })
    expect(callsTo(route)[0]?.signal.aborted).toBe(true)
    expect(document.activeElement).toBe(button(label))
    expect([saved, screen.queryByText(failed)]).toEqual([[], null])
  })

  it('can be started and cancelled from the palette (S4.11)', async () => {
    serve({ [route]: hold().answer })
    const user = await open()
    const choose = async (text: string) => {
      await user.keyboard('{Control>}k{/Control}')
      const palette = await screen.findByRole('dialog')
      await user.click(within(palette).getByRole('combobox'))
      await user.paste(text)
      await user.click(await within(palette).findByRole('option', { name: new RegExp(`^${text}`) }))
    }
    await choose(label)
    expect(await screen.findByRole('button', { name: 'Downloading...' })).toBeTruthy()
    await choose(`Cancel: ${label}`)
    expect(await screen.findByRole('button', { name: label })).toBeTruthy()
    expect(callsTo(route)[0]?.signal.aborted).toBe(true)
  })

  it('is aborted when the session ends, and saves no file (S2.b.5)', async () => {
    const file = download()
    serve({ [route]: file.answer })
    const user = await open()
    await user.click(button(label))
    await waitFor(() => expect(callsTo(route)).toHaveLength(1))
    endSession()
    await waitFor(() => expect(callsTo(route)[0]?.signal.aborted).toBe(true))
    await screen.findByLabelText('Password')
    expect([saved, screen.queryByText(failed)]).toEqual([[], null])
  })
})
