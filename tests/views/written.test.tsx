import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import '../support/indexed-db.ts'
import { serve } from '../support/network.ts'
import { address, renderApp } from '../support/render-app.tsx'
import { wireBlog, wireCoupon, wirePage } from '../support/wire.ts'

async function open(path: string, list: string, ...rows: unknown[]) {
  serve({ [`GET ${list}`]: wirePage(rows) })
  const { user } = renderApp({ path })
  await screen.findAllByRole('button', { name: /^Delete/ })
  return user
}

describe('the coupons screen', () => {
  const list = 'coupons/'

  it('gives only the known dates in the exact value of Expiry date (S2.p.3, R4)', async () => {
    await open(
      '/coupons',
      list,
      wireCoupon({ valid_till: '2020-01-01' }),
      wireCoupon({ created_at: null }),
      wireCoupon({ valid_till: null }),
      wireCoupon({ created_at: null, valid_till: null }),
    )
    const titles = screen.getAllByRole('row').map((row) => row.querySelectorAll('td')[3]?.title)
    expect(titles).toEqual([
      undefined,
      'Created: 3rd Nov 2025, 10:30 am. Was valid till: 1st Jan 2020',
      'Valid till: 31st Dec 2099',
      'Created: 3rd Nov 2025, 10:30 am',
      '',
    ])
  })

  it('dims coupons past their last day (rulings, numbers)', async () => {
    await open('/coupons', list, wireCoupon({ valid_till: '2020-01-01' }), wireCoupon({ valid_till: null }))
    const [, past, timeless] = screen.getAllByRole('row')
    expect(past?.dataset['past']).toBe('true')
    expect(timeless?.dataset['past']).toBeUndefined()
  })
})

describe('a new coupon', () => {
  const made = wireCoupon({ id: 70, code: 'MPYA70' })
  const said = () => screen.getByRole('status', { name: 'Status' }).textContent

  async function create(path: string) {
    serve({
      'GET coupons/': wirePage([wireCoupon({ id: 5, code: 'SAVE50' })]),
      'GET capabilities/': { filters: { coupons: ['id:'] } },
      'POST coupons/create/': made,
    })
    const { user } = renderApp({ path })
    await screen.findByRole('heading', { level: 1 })
    await user.keyboard('{Control>}k{/Control}create coupon{Enter}')
    await user.type(await screen.findByLabelText('Code'), 'MPYA70')
    return user
  }

  it('gets the focus where the list shows it', async () => {
    const user = await create('/coupons')
    serve({ 'GET coupons/': wirePage([made, wireCoupon({ id: 5, code: 'SAVE50' })]) })
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(document.activeElement?.closest('tr')?.textContent).toContain('MPYA70'))
    expect(said()).toBe('Done: Create coupon MPYA70')
  })

  it.each(['/coupons?page=2', '/trips'])(
    'on %s is named in the status line, with a way to it',
    async (path) => {
      const user = await create(path)
      await user.click(screen.getByRole('button', { name: 'Continue' }))
      await waitFor(() => expect(said()).toBe('Coupon MPYA70 created.'))
      await user.click(screen.getByRole('button', { name: 'Open' }))
      expect(address()).toBe('/coupons?filter=id:70')
      expect(said()).toBe('')
      await user.keyboard('gt')
      expect(address()).toBe('/trips')
      await user.keyboard('gr')
      expect(address()).toBe('/coupons?filter=id:70')
    },
  )
})

describe('the blogs screen', () => {
  const list = 'blogs-adm/'
  const lamu = wireBlog({ id: 5, title: 'Lamu time' })
  const mara = wireBlog({ id: 4, title: 'The great crossing', image: '' })

  it('shows a card for each blog, with the content as plain text (S2.o.3)', async () => {
    await open('/blogs', list, wireBlog({ content: '<b>Bold</b>\nand more' }))
    const card = within(screen.getByRole('article'))
    expect(card.getByRole('heading', { level: 2 }).textContent).toBe('Lamu time')
    expect(card.getByRole('heading', { level: 3 }).textContent).toBe('Slow days')
    expect(card.getByRole('img', { name: 'Cover of Lamu time' }).getAttribute('src')).toBe('/files/lamu.png')
    expect(card.getByText(/<b>Bold<\/b>/).textContent).toBe('<b>Bold</b>\nand more')
    expect(card.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Edit', 'Delete'])
  })

  it('moves the focus with j and k; other keys act on the focused card', async () => {
    const user = await open('/blogs', list, lamu, mara)
    await user.keyboard('jj')
    expect(document.activeElement?.textContent).toContain('The great crossing')
    await user.keyboard('ke')
    expect(await screen.findByLabelText('Title')).toHaveProperty('value', 'Lamu time')
    await user.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement?.textContent).toContain('Lamu time'))
  })

  it('has no accessibility violations', async () => {
    await open('/blogs', list, lamu, mara)
    const { violations } = await axe.run(screen.getByRole('main'), {
      rules: { 'color-contrast': { enabled: false } },
    })
    expect(violations.map(({ id }) => id)).toEqual([])
  })
})

describe('a key that is held', () => {
  const held = (key: string, target = document.activeElement) =>
    fireEvent.keyDown(target ?? document.body, { key, repeat: true })

  it('since before the form opened types nothing into it', async () => {
    const user = await open('/coupons', 'coupons/', wireCoupon({ id: 5, code: 'SAVE50' }))
    await user.keyboard('n')
    const code = await screen.findByLabelText('Code')
    // False: the browser does nothing with the key.
    expect(held('n', code)).toBe(false)
    await user.type(code, 'A')
    expect(held('A', code)).toBe(true)
  })

  it('does not send a form again and again, and makes blank lines in a text', async () => {
    const user = await open('/blogs', 'blogs-adm/', wireBlog({ id: 5 }))
    await user.keyboard('n')
    await user.type(await screen.findByLabelText('Title'), 'A')
    expect(held('Enter')).toBe(false)
    const text = document.querySelector('textarea')
    await user.type(text ?? document.body, 'B')
    expect(held('Enter', text)).toBe(true)
  })
})
