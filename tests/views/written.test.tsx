import { screen, waitFor, within } from '@testing-library/react'
import axe from 'axe-core'
import { describe, expect, it } from 'vitest'
import '../support/indexed-db.ts'
import { serve } from '../support/network.ts'
import { renderApp } from '../support/render-app.tsx'
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
    expect(timeless?.dataset['past']).toBe('false')
  })
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
