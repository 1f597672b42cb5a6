import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { getDefaultStore } from 'jotai'
import { expect, it } from 'vitest'
import { columnCommands } from '../../../src/commands/columns.ts'
import { contextAtom } from '../../../src/commands/context.ts'
import { runCommand } from '../../../src/commands/run-command.ts'
import { settingsAtom } from '../../../src/state/settings.ts'
import { leastWidthOf, widthsFor } from '../../../src/views/table/column-widths.ts'
import { dayColumn, momentColumn } from '../../../src/views/table/columns.tsx'
import { longestTexts, textOf } from '../../../src/views/table/copy.ts'
import { serve } from '../../support/network.ts'
import { renderApp } from '../../support/render-app.tsx'
import { wireCustomer, wireDriver, wirePage } from '../../support/wire.ts'

const store = getDefaultStore()
const headers = () => screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
const item = (name: string) => screen.getByRole('menuitem', { name })
const isClosed = () => waitFor(() => expect(screen.queryByRole('menu')).toBeNull())
const specified = [
  ...['ID #', 'Name', 'Phone No', 'Date joined', 'Completed Trips', 'Failed Trips', 'Wallet(Ksh)'],
]

async function open(path = '/customers') {
  serve({ 'GET customers/': wirePage([wireCustomer({ id: 3, fullname: 'Wanjiku' })]) })
  const { user } = renderApp({ path })
  await screen.findByText('Wanjiku')
  return user
}

it('the focused column is moved by the menu of the columns, place by place, and stays the focused one', async () => {
  const user = await open()
  await user.keyboard('j{ArrowRight}{ArrowRight}')
  await user.click(screen.getByRole('button', { name: 'Columns' }))
  await screen.findByRole('menu')
  await user.click(item('Move the column Phone No right'))
  await user.click(item('Move the column Phone No right'))
  expect(headers()).toEqual([
    ...['ID #', 'Name', 'Date joined', 'Completed Trips', 'Phone No', 'Failed Trips', 'Wallet(Ksh)'],
  ])
  await user.click(item('Move the column Phone No left'))
  expect(headers()[3]).toBe('Phone No')
  await user.keyboard('{Escape}j')
  expect(document.activeElement?.closest('td')?.cellIndex).toBe(3)
  // What is copied has the order of the screen.
  expect(
    within(screen.getByRole('grid')).getAllByRole('row')[1]?.querySelectorAll('td')[3]?.textContent,
  ).toMatch(/^\+254/)
  expect(store.get(settingsAtom).order['/customers']).toEqual([
    ...['name', 'date-joined', 'phone-no', 'completed-trips', 'failed-trips', 'wallet-ksh'],
  ])
})

it('the first column stays first, and hidden columns keep their places', async () => {
  const user = await open()
  await user.keyboard('j')
  await user.click(screen.getByRole('button', { name: 'Columns' }))
  await user.click(await screen.findByRole('menuitemcheckbox', { name: 'Name' }))
  expect(item('Move the column ID # left').getAttribute('aria-disabled')).toBe('true')
  expect(item('Move the column ID # right').getAttribute('aria-disabled')).toBe('true')
  await user.keyboard('{Escape}')
  await isClosed()
  await user.keyboard('j{ArrowRight}')
  await user.click(screen.getByRole('button', { name: 'Columns' }))
  await screen.findByRole('menu')
  expect(item('Move the column Phone No left').getAttribute('aria-disabled')).toBe('true')
  await user.click(item('Move the column Phone No right'))
  await user.click(screen.getByRole('menuitemcheckbox', { name: 'Name' }))
  expect(headers().slice(0, 4)).toEqual(['ID #', 'Name', 'Date joined', 'Phone No'])
  await user.click(item('Reset the columns of this list'))
  expect(headers()).toEqual(specified)
})

it('a right click on a header opens the commands of its column', async () => {
  const user = await open()
  fireEvent.contextMenu(screen.getByRole('columnheader', { name: /Date joined/ }))
  await screen.findByRole('menu', { name: 'Commands of the column' })
  await user.click(item('Move the column Date joined left'))
  expect(headers()[2]).toBe('Date joined')
  await user.keyboard('{Escape}')
  await isClosed()
})

it('columns of buttons stay at the end', async () => {
  serve({ 'GET drivers/': wirePage([wireDriver({ id: 1 })]) })
  const { user } = renderApp({ path: '/riders' })
  await screen.findByRole('grid')
  await user.keyboard('j{End}{ArrowLeft}')
  const right = columnCommands.find(({ id }) => id === 'list.columnRight')
  const context = store.get(contextAtom)
  expect(right?.title(context)).toBe('Move the column Status right')
  expect(right?.enabled?.(context)).toBe('nothing can be after the last column')
})

it('columns have the chosen order, and resetting them forgets order and widths', async () => {
  store.set(settingsAtom, {
    order: { '/customers': ['wallet-ksh', 'name'] },
    widths: { '/customers name': 90 },
  })
  await open()
  expect(headers().slice(-2)).toEqual(['Wallet(Ksh)', 'Name'])
  const reset = columnCommands.find(({ id }) => id === 'list.resetColumns')
  if (reset) runCommand(reset, store.get(contextAtom), 'palette')
  await waitFor(() => expect(headers()).toEqual(specified))
  expect(store.get(settingsAtom)).toMatchObject({ order: {}, widths: {} })
})

const measured = {
  ...{ content: 100, header: 60, word: 40, declared: 90, isWhole: false, isFixed: false },
}

it('a chosen width stays, the other columns share the rest, and no number is cut', () => {
  const number = { ...measured, isWhole: true, chosen: 20 }
  expect(widthsFor([{ ...measured, chosen: 300 }, measured, measured], 1000).columns).toEqual([300, 350, 350])
  expect(widthsFor([measured, number], 500).columns).toEqual([400, 100])
  expect(widthsFor([{ ...measured, chosen: 10 }, measured], 500).columns[0]).toBe(leastWidthOf(measured))
  expect(widthsFor([{ ...measured, chosen: 600 }, measured], 500)).toMatchObject({ isWide: true })
  const short = widthsFor(
    [
      { ...measured, chosen: 100 },
      { ...measured, isFixed: true },
    ],
    500,
  )
  expect(short).toMatchObject({ columns: [100, 100], isShort: true, isWide: false })
})

const everyHour = Array.from({ length: 366 * 24 }, (_, hour) =>
  new Date(Date.UTC(2024, 0, 1, hour)).toISOString(),
)

it.each([
  ['days', dayColumn('day', 'Day', (time: string) => time)],
  ['days with times', momentColumn('moment', 'Moment', (time: string) => time)],
])('a column of %s knows how many characters its longest text has (S9.3)', (_, column) => {
  const longest = Math.max(...everyHour.map((time) => textOf(column, time).length))
  expect(longest).toBe(column.maxLength)
  const [found = 0] = longestTexts([column], everyHour)
  expect(textOf(column, everyHour[found] ?? '')).toHaveLength(longest)
})

it('no more texts are looked at after one with the most characters that a column can have', () => {
  const seen: string[] = []
  const column = {
    ...{ id: 'code', header: 'Code', width: 4, maxLength: 3 },
    cell: (text: string) => {
      seen.push(text)
      return text
    },
  }
  expect(longestTexts([column], ['a', 'abc', 'ABC', 'ab'])).toEqual([1])
  expect(seen).toEqual(['a', 'abc'])
})

it('a shorter text with wide letters can be the longest', () => {
  const column = { id: 'name', header: 'Name', width: 4, cell: (text: string) => text }
  expect(longestTexts([column], ['iiii', 'WWW', 'iii', 'll'])).toEqual([1])
})
