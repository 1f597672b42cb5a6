import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { targetsOf } from '../../src/commands/command.ts'
import { attraction } from '../../src/commands/nouns/attraction.ts'
import { navigate } from '../../src/state/location.ts'
import '../support/indexed-db.ts'
import { callsTo, hold, lose, refuse, refuseFields, serve } from '../support/network.ts'
import { address, renderApp, toasts } from '../support/render-app.tsx'
import { wireAttraction, wirePage } from '../support/wire.ts'

const list = 'GET attractions/all/'
const detail = 'GET attractions/all/:id/'
const created = 'POST attraction/create/oms/'
const changed = 'POST attractions/all/:id/'
const giraffes = wireAttraction({ id: 5 })
const karura = { placeName: 'Karura Forest', detail: 'Nairobi', lat: -1.2345, lng: 36.81234567, credit: '' }

const dialog = () => screen.queryByRole('dialog')
const field = (name: string) => screen.getByLabelText(name)
const button = (name: string) => screen.getByRole('button', { name })

/** Resolves when the text appears, without timers, because the tests fake them. */
const shown = (text: string) =>
  new Promise<void>((resolve) => {
    const watch = new MutationObserver(() => {
      if (!screen.queryByText(text)) return
      watch.disconnect()
      resolve()
    })
    watch.observe(document.body, { subtree: true, childList: true, characterData: true })
  })

async function openDetail(sent: object = giraffes) {
  serve({ [list]: wirePage([giraffes]), [detail]: sent })
  const { user } = renderApp({ path: '/attractions/5' })
  await screen.findByRole('article')
  return user
}

async function openForm() {
  const user = await openDetail()
  await user.click(screen.getByText('Edit attraction'))
  await screen.findByRole('dialog')
  return user
}

describe('an attraction', () => {
  it('is opened by a click on its id, and shows all its fields (S2.m.3, S2.n.1)', async () => {
    serve({ [list]: wirePage([giraffes]), [detail]: wireAttraction({ id: 5, lng: 36.74451234 }) })
    const { user } = renderApp({ path: '/attractions' })
    await user.click(await screen.findByRole('link', { name: '5' }))
    expect(address()).toBe('/attractions/5')
    const sight = within(await screen.findByRole('article'))
    expect(sight.getByRole('heading', { name: 'Giraffe Centre' })).toBeTruthy()
    expect(sight.getByText('Giraffes at eye level')).toBeTruthy()
    expect(sight.getByRole('img', { name: 'Cover of Giraffe Centre' }).getAttribute('src')).toBe(
      '/files/giraffe.png',
    )
    expect(sight.getAllByRole('term').map(({ textContent }) => textContent)).toEqual([
      'Location',
      'Lat',
      'Lng',
    ])
    expect(sight.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
      'Giraffe Centre, Langata',
      '-1.376400',
      '36.744512',
    ])
    expect(sight.getByText('36.744512').title).toBe('36.74451234')
    await user.click(screen.getByRole('link', { name: 'Back' }))
    expect(address()).toBe('/attractions')
  })

  it('shows blanks for missing or malformed fields', async () => {
    await openDetail({ id: 5, name: null, description: {}, image: [], lat: null, lng: 'east', location: 'x' })
    expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual(['', '', ''])
    expect(screen.getByRole('article').querySelector('img')).toBeNull()
    expect(screen.getByRole('article').textContent).toBe('LocationLatLng')
  })

  it('shows no message after a failed load, and is loaded by Retry (S8.10, R1)', async () => {
    serve({ [detail]: () => refuse(404, 'Boom') })
    const { user } = renderApp({ path: '/attractions/5' })
    const retry = await screen.findByRole('button', { name: 'Retry' })
    expect(toasts()).toEqual([])
    expect(screen.queryByRole('status', { name: 'Loading' })).toBeNull()
    expect(screen.queryByText('Edit attraction')).toBeNull()
    expect(screen.getByRole('main').textContent).not.toMatch(/Boom|404|undefined/)
    serve({ [detail]: giraffes })
    await user.click(retry)
    expect(await screen.findByText('Giraffes at eye level')).toBeTruthy()
  })
})

describe('the modal of an attraction', () => {
  it('opens from its button, with its title and the stored values (S2.n.2, S2.n.3)', async () => {
    await openForm()
    expect(screen.getByRole('dialog', { name: 'Edit attraction' })).toBeTruthy()
    const modal = within(screen.getByRole('dialog'))
    expect(modal.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Giraffe Centre')
    expect(modal.getByRole('textbox', { name: 'Description' })).toHaveProperty(
      'value',
      'Giraffes at eye level',
    )
    const location = modal.getByRole('combobox', { name: 'Location' })
    expect(location).toHaveProperty('value', 'Giraffe Centre, Langata')
    expect(location).toHaveProperty('required', true)
    expect(field('Cover photo')).toHaveProperty('accept', 'image/*')
    expect(button('Save')).toBeTruthy()
  })

  it('opens from Add attraction in the list, with that title and empty fields (S2.m.1, S2.n.3)', async () => {
    serve({ [list]: wirePage([]) })
    const { user } = renderApp({ path: '/attractions' })
    await user.click(await screen.findByRole('button', { name: 'Add attraction' }))
    expect(screen.getByRole('dialog', { name: 'Add attraction' })).toBeTruthy()
    for (const name of ['Name', 'Description', 'Location', 'Cover photo'])
      expect([name, field(name)]).toEqual([name, expect.objectContaining({ value: '' })])
  })

  it('sends name, description, place and coordinates with 6 decimals; the list reloads (S7.19, S3.11, S8.7)', async () => {
    serve({ [list]: wirePage([]), [created]: {}, 'GET places/': { results: [karura] } })
    const { user } = renderApp({ path: '/attractions' })
    await user.click(await screen.findByRole('button', { name: 'Add attraction' }))
    await user.type(field('Location'), 'ka')
    await user.click(await screen.findByRole('option', { name: /Karura/ }))
    await user.type(field('Name'), 'K')
    await user.type(field('Description'), 'D')
    serve({ [list]: wirePage([wireAttraction({ id: 6, name: 'Karura walks' })]) })
    await user.click(button('Save'))
    await waitFor(() => expect(toasts()).toEqual(['Attraction added successfully']))
    expect(callsTo(created).map(({ body }) => body)).toEqual([
      {
        name: 'K',
        description: 'D',
        location: { placeName: 'Karura Forest', lat: -1.2345, lng: 36.81234567 },
        lat: '-1.234500',
        lng: '36.812346',
        image: '',
      },
    ])
    expect(await screen.findByText('Karura walks')).toBeTruthy()
  })

  it('shows Saving..., then Save again; the detail reloads (S2.n.4, R5)', async () => {
    const reply = hold()
    const user = await openForm()
    serve({ [changed]: reply.answer })
    await user.type(field('Name'), '!')
    await user.click(button('Save'))
    expect(button('Saving...').getAttribute('aria-disabled')).toBe('true')
    serve({ [detail]: wireAttraction({ id: 5, name: 'Giraffe Centre!' }) })
    reply.give({})
    await waitFor(() => expect(toasts()).toEqual(['Attraction updated successfully']))
    expect(button('Save')).toBeTruthy()
    expect(await screen.findByText('Giraffe Centre!')).toBeTruthy()
  })

  it.each([
    ['a part of the record', { id: 5, message: 'Updated' }],
    ['another record', { id: 900, name: 'Log entry', description: '' }],
  ])(
    'leaves the attraction on screen until the reload when the answer is %s (S7.20)',
    async (_what, answer) => {
      const user = await openForm()
      serve({ [changed]: answer, [detail]: hold().answer })
      await user.click(button('Save'))
      await waitFor(() => expect(toasts()).toEqual(['Attraction updated successfully']))
      const heading = screen.getByRole('article', { hidden: true }).querySelector('h2')
      expect(heading?.textContent).toBe('Giraffe Centre')
    },
  )

  it('names no change by somebody else after a lost answer, when the chosen place is stored with six decimals', async () => {
    serve({ 'GET places/': { results: [karura] } })
    const user = await openForm()
    await user.clear(field('Location'))
    await user.type(field('Location'), 'karu')
    await user.click(await screen.findByRole('option', { name: /Karura/ }))
    const location = { placeName: 'Karura Forest', lat: -1.2345, lng: 36.812346 }
    serve({
      [changed]: lose,
      [detail]: wireAttraction({ id: 5, location, lat: '-1.234500', lng: '36.812346', version: 2 }),
    })
    await user.click(button('Save'))
    const article = () => screen.getByRole('article', { hidden: true })
    await waitFor(() => expect(article().textContent).toContain('Karura Forest'))
    expect(field('Location').title).toBe('')
  })

  describe('closes by itself', () => {
    /** Saves a changed form. From here on only `pass` advances the timers. */
    async function save(answer: () => unknown) {
      const user = await openForm()
      serve({ [changed]: answer })
      await user.type(field('Name'), '!')
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      await saveNow()
    }
    async function saveNow() {
      fireEvent.click(button('Save'))
      expect(button('Saving...')).toBeTruthy()
      await shown('Save')
    }
    const pass = (time: number) => act(() => vi.advanceTimersByTimeAsync(time))
    afterEach(() => {
      vi.useRealTimers()
    })

    it.each([
      ['Attraction updated successfully', () => ({})],
      ['Error occured during upload', () => refuse(500)],
    ])('2 seconds after "%s", not before (S2.n.5, S9.9)', async (message, answer) => {
      await save(answer)
      await pass(1999)
      expect(toasts()).toEqual([message])
      expect(dialog()).toBeTruthy()
      await pass(1)
      expect(dialog()).toBeNull()
    })

    it('not after a failure while the person goes on with the draft (S2.n.5, R2)', async () => {
      await save(() => refuse(500))
      await pass(1000)
      fireEvent.change(field('Name'), { target: { value: 'Giraffe Centre?' } })
      await pass(5000)
      expect(dialog()).toBeTruthy()
    })

    it('not after a failure while the person types another place (S2.n.5)', async () => {
      serve({ 'GET places/': { results: [karura] } })
      await save(() => refuseFields({ lat: ['must be in Kenya'] }))
      await pass(1000)
      expect(document.activeElement).toBe(field('Location'))
      fireEvent.input(field('Location'), { target: { value: 'karu' } })
      await pass(5000)
      expect(dialog()).toBeTruthy()
    })

    it('not after a success if it was opened again meanwhile and is filled in (S2.n.5)', async () => {
      const reply = hold()
      const user = await openForm()
      serve({ [changed]: reply.answer })
      await user.type(field('Name'), '!')
      await user.click(button('Save'))
      await user.keyboard('{Escape}')
      await user.click(screen.getByText('Edit attraction'))
      expect(button('Saving...')).toBeTruthy()
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      reply.give({})
      await shown('Save')
      await pass(1000)
      fireEvent.input(field('Name'), { target: { value: 'Giraffe Centre?' } })
      await pass(5000)
      expect(dialog()).toBeTruthy()
    })

    it('2 seconds after the last result if it is saved again before that (S2.n.5)', async () => {
      await save(() => refuse(500))
      await pass(1000)
      await saveNow()
      await pass(1999)
      expect(dialog()).toBeTruthy()
      await pass(1)
      expect(dialog()).toBeNull()
    })
  })

  it.each([
    ['creating', created, 'Add attraction'],
    ['updating', changed, 'Edit attraction'],
  ])(
    'shows the same toast when %s fails, and keeps the entered values (S8.6, R2)',
    async (_what, call, title) => {
      serve({ [list]: wirePage([giraffes]), [call]: () => refuse(400), 'GET places/': { results: [karura] } })
      const { user } = renderApp({ path: '/attractions' })
      await screen.findByRole('grid')
      await user.keyboard(title.startsWith('Add') ? 'n' : 'je')
      await screen.findByRole('dialog', { name: title })
      await user.type(field('Location'), 'ka')
      await user.click(await screen.findByRole('option', { name: /Karura/ }))
      await user.click(button('Save'))
      await waitFor(() => expect(toasts()).toEqual(['Error occured during upload']))
      expect(await screen.findByRole('button', { name: 'Save' })).toBeTruthy()
      expect(field('Location')).toHaveProperty('value', 'Karura Forest')
    },
  )
})

describe('deleting an attraction', () => {
  it('sends an update; the row disappears with the reload of the list, not earlier (S7.21, S4.7, S8.7)', async () => {
    const reply = hold()
    const reloaded = hold()
    serve({ [list]: wirePage([giraffes]), [changed]: reply.answer })
    const { user } = renderApp({ path: '/attractions' })
    await user.click(await screen.findByRole('button', { name: 'Delete attraction Giraffe Centre' }))
    expect(callsTo(changed).map(({ path, body }) => [path, body])).toEqual([
      ['attractions/all/5/', { deleted: true }],
    ])
    serve({ [list]: reloaded.answer })
    reply.give({})
    await waitFor(() => expect(toasts()).toEqual(['Attraction deleted successfullyUndo']))
    expect(screen.getByText('Giraffe Centre')).toBeTruthy()
    reloaded.give(wirePage([]))
    await waitFor(() => expect(screen.queryByText('Giraffe Centre')).toBeNull())
  })

  it('leads back to the list only from its own screen (S8.7)', async () => {
    const reply = hold()
    const user = await openDetail()
    serve({ [changed]: reply.answer, 'GET trips/': wirePage([]) })
    await user.keyboard('dd')
    await waitFor(() => expect(callsTo(changed)).toHaveLength(1))
    await user.keyboard('gt')
    expect(address()).toBe('/trips')
    reply.give({})
    await waitFor(() => expect(toasts()).toEqual(['Attraction deleted successfullyUndo']))
    expect(address()).toBe('/trips')
  })

  it('leads back to the list also from an address with a final slash, and is no reason to leave another screen', async () => {
    serve({ [list]: wirePage([]), [detail]: giraffes, [changed]: {} })
    renderApp({ path: '/trips' })
    const context = { path: '/trips', targets: targetsOf(attraction, [giraffes]) }
    await attraction.remove.run(context)
    expect(address()).toBe('/trips')
    navigate('/attractions/5/')
    await attraction.remove.run({ ...context, path: '/attractions/5/' })
    expect(address()).toBe('/attractions')
  })

  it('shows a toast after a failure; the row stays and gets a fault mark (S8.6, R3)', async () => {
    serve({ [list]: wirePage([giraffes]), [changed]: () => refuse(500) })
    const { user } = renderApp({ path: '/attractions' })
    await user.click(await screen.findByRole('button', { name: 'Delete attraction Giraffe Centre' }))
    await waitFor(() => expect(toasts()).toEqual(['Error occured during upload']))
    expect(screen.getByRole('img', { name: 'The last action on this row failed' })).toBeTruthy()
    expect(screen.getByText('Giraffe Centre')).toBeTruthy()
  })
})
