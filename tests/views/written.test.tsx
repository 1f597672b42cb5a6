import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import '../support/indexed-db.ts'
import { callsTo, hold, refuse, serve } from '../support/network.ts'
import { address, renderApp } from '../support/render-app.tsx'
import { wireAttraction, wireBlog, wireCoupon, wirePage, wirePromo } from '../support/wire.ts'

const headers = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
const cells = (row = 1) =>
  within(screen.getAllByRole('row')[row] ?? document.body)
    .getAllByRole('gridcell')
    .map(({ textContent }) => textContent)

async function open(path: string, list: string, ...rows: unknown[]) {
  serve({ [`GET ${list}`]: wirePage(rows) })
  const { user } = renderApp({ path })
  await screen.findAllByRole('button', { name: /^Delete/ })
  return user
}

describe('the coupons screen', () => {
  const list = 'coupons/'

  it('has its title, button and columns (S2.p.1, S2.p.2)', async () => {
    await open('/coupons', list, wireCoupon())
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Coupons')
    expect(screen.getByRole('button', { name: 'Create coupon' })).toBeTruthy()
    expect(headers()).toEqual(['ID #', 'Code', 'Amount', 'Expiry date', 'Users', 'Actions'])
  })

  it('shows the day of creation as Expiry date; the exact value names both (S2.p.3, R4)', async () => {
    const users = [{ user: { fullname: 'Jo Kamau' } }, { user: { fullname: 'Amina Yusuf' } }]
    await open('/coupons', list, wireCoupon({ id: 5, amount: 1250, users, valid_till: '2099-12-31' }))
    expect(cells()).toEqual([
      '5',
      'SAVE50',
      '1,250.00',
      '3rd Nov 2025',
      'Jo Kamau, Amina Yusuf',
      'EditDelete',
    ])
    expect(screen.getByText('3rd Nov 2025').title).toBe(
      'Created: 3rd Nov 2025, 10:30 am. Valid till: 31st Dec 2099',
    )
  })

  it('dims what is past its last day (rulings, numbers)', async () => {
    await open('/coupons', list, wireCoupon({ valid_till: '2020-01-01' }), wireCoupon({ valid_till: null }))
    const [, past, timeless] = screen.getAllByRole('row')
    expect(past?.dataset['past']).toBe('true')
    expect(timeless?.dataset['past']).toBe('false')
  })

  it('shows blank for what is missing or odd', async () => {
    await open('/coupons', list, { id: 5, users: [null, 'Jo Kamau', {}], created_at: 'never' })
    expect(cells()).toEqual(['5', '', '0', '', 'Jo Kamau', 'EditDelete'])
  })

  it('says that there are none in the words of the invites (S2.p.4)', async () => {
    serve({ [`GET ${list}`]: wirePage([]) })
    renderApp({ path: '/coupons' })
    expect(await screen.findByText('No Invites to display')).toBeTruthy()
  })
})

describe('the promo codes screen', () => {
  const list = 'promo-codes/'

  it('has its title, button and columns (S2.q.1, S2.q.2)', async () => {
    await open('/promos', list, wirePromo())
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Promo codes')
    expect(screen.getByRole('button', { name: 'Create promo code' })).toBeTruthy()
    expect(headers()).toEqual([
      'ID #',
      'Code',
      'Title',
      'Description',
      'Amount',
      'Expiry date',
      'User',
      'Redeemed',
      'Actions',
    ])
  })

  it.each([
    [true, 'Yes'],
    [false, 'No'],
    [null, ''],
  ])(
    'shows a code as the specification has it; redemeed %j is %j (S2.q.2, S3.14)',
    async (redemeed, shown) => {
      await open('/promos', list, wirePromo({ id: 5, redemeed, valid_till: '2025-11-03' }))
      expect(cells()).toEqual([
        '5',
        'KARIBU100',
        'Welcome',
        'For a first ride',
        '100.00',
        '3rd Nov 2025',
        'Amina Yusuf +254712345678',
        shown,
        'EditDelete',
      ])
    },
  )

  it('says that there are none (S2.q.3)', async () => {
    serve({ [`GET ${list}`]: wirePage([]) })
    renderApp({ path: '/promos' })
    expect(await screen.findByText('No promo codes to display')).toBeTruthy()
  })
})

describe('the blogs screen', () => {
  const list = 'blogs-adm/'
  const lamu = wireBlog({ id: 5, title: 'Lamu time' })
  const mara = wireBlog({ id: 4, title: 'The great crossing', image: '' })

  it('shows a card each, its content as text (S2.o.3)', async () => {
    await open('/blogs', list, wireBlog({ content: '<b>Bold</b>\nand more' }))
    const card = within(screen.getByRole('article'))
    expect(card.getByRole('heading', { level: 2 }).textContent).toBe('Lamu time')
    expect(card.getByRole('heading', { level: 3 }).textContent).toBe('Slow days')
    expect(card.getByRole('img', { name: 'Cover of Lamu time' }).getAttribute('src')).toBe('/files/lamu.png')
    expect(card.getByText(/<b>Bold<\/b>/).textContent).toBe('<b>Bold</b>\nand more')
    expect(card.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Edit', 'Delete'])
  })

  it('says Loading.... while fetching and what it says when empty (S2.o.4)', async () => {
    const reply = hold()
    serve({ [`GET ${list}`]: reply.answer })
    renderApp({ path: '/blogs' })
    expect(screen.getByText('Loading....')).toBeTruthy()
    reply.give(wirePage([]))
    expect(await screen.findByText('No blogs to shows')).toBeTruthy()
    expect(screen.queryByText('Loading....')).toBeNull()
  })

  it('ends in a bare Retry when it cannot be loaded (R1, S8.11)', async () => {
    serve({ [`GET ${list}`]: () => refuse(400) })
    renderApp({ path: '/blogs' })
    expect(await screen.findByRole('button', { name: 'Retry' })).toBeTruthy()
    expect(screen.queryByText('No blogs to shows')).toBeNull()
  })

  it('is walked by j and k; keys act on the card in focus', async () => {
    const user = await open('/blogs', list, lamu, mara)
    await user.keyboard('jj')
    expect(document.activeElement?.textContent).toContain('The great crossing')
    await user.keyboard('ke')
    expect(await screen.findByLabelText('Title')).toHaveProperty('value', 'Lamu time')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement?.textContent).toContain('Lamu time'))
  })

  it('has no accessibility fault', async () => {
    await open('/blogs', list, lamu, mara)
    const { violations } = await axe.run(screen.getByRole('main'), {
      rules: { 'color-contrast': { enabled: false } },
    })
    expect(violations.map(({ id }) => id)).toEqual([])
  })
})

describe('the attractions screen', () => {
  const list = 'attractions/all/'

  it('has its title, search, button and columns (S2.m.1, S2.m.2)', async () => {
    await open('/attractions', list, wireAttraction({ id: 5 }))
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Attractions')
    expect(screen.getByPlaceholderText('Search attraction by name...')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Add attraction' })).toBeTruthy()
    expect(headers()).toEqual(['ID #', 'Image', 'Name', 'Location', 'Latitude', 'Longitude', 'Action'])
    expect(cells()).toEqual([
      '5',
      '',
      'Giraffe Centre',
      'Giraffe Centre, Langata',
      '-1.376400',
      '36.744500',
      'Delete',
    ])
  })

  it('searches by name, in the URL and in the call (S2.u.1, S7.17)', async () => {
    const user = await open('/attractions', list, wireAttraction())
    await user.type(screen.getByRole('searchbox'), 'giraffe{Enter}')
    expect(address()).toBe('/attractions?name=giraffe')
    await waitFor(() =>
      expect(callsTo(`GET ${list}`).at(-1)?.query).toEqual({ page: '1', s: '', name: 'giraffe' }),
    )
  })

  it('leads to the detail, which shows all of it with its button (S2.m.3, S2.n.1, S2.n.2)', async () => {
    serve({ 'GET attractions/all/:id/': wireAttraction({ id: 5 }) })
    const user = await open('/attractions', list, wireAttraction({ id: 5 }))
    await user.click(screen.getByRole('link', { name: '5' }))
    expect(await screen.findByText('Giraffes at eye level')).toBeTruthy()
    expect(screen.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
      'Giraffe Centre, Langata',
      '-1.376400',
      '36.744500',
    ])
    expect(screen.getByRole('img', { name: 'Cover of Giraffe Centre' })).toBeTruthy()
    expect(screen.getByText('Edit attraction')).toBeTruthy()
  })

  it('that cannot be loaded alone ends in a bare Retry (R1)', async () => {
    serve({ 'GET attractions/all/:id/': () => refuse(404) })
    renderApp({ path: '/attractions/5' })
    expect(await screen.findByRole('button', { name: 'Retry' })).toBeTruthy()
  })
})
