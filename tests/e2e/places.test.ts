import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { Attraction, Page as PageOf } from '../../src/api/contract.ts'
import { press, toasts, useConsole } from '../support/console.ts'
import { stubGoogle } from '../support/google.ts'

const script = 'https://maps.googleapis.com/maps/api/js?*'
const fallback = 'Google Maps cannot be reached. These places are from our own list.'

const location = (page: Page) => page.getByRole('combobox', { name: 'Location' })
// Only those of the dialog: the page behind it has options too.
const options = (page: Page) => dialog(page).getByRole('option')
const dialog = (page: Page) => page.getByRole('dialog')

async function openForm(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add attraction' }).click()
  await location(page).waitFor()
}

describe('the location input without a Google Maps key', () => {
  const twende = useConsole()

  test('finds establishments of the gazetteer by keyboard alone, names the sources, and calls no other host (S2.n.3, S5.2, S9.10)', async () => {
    const page = await twende.open('/attractions')
    const foreign: string[] = []
    page.on('request', (request) => {
      if (!request.url().startsWith(twende.url) && !request.url().startsWith('blob:'))
        foreign.push(request.url())
    })
    await press(page, 'n')
    await dialog(page).getByLabel('Name').fill('By keyboard')
    await location(page).focus()
    await page.keyboard.type('nabuyole')
    await options(page).first().waitFor()
    expect(await options(page).allTextContents()).toEqual([expect.stringContaining('Webuye Falls')])
    expect(await dialog(page).getByText('GeoNames').isVisible()).toBe(true)
    await press(page, 'Enter')
    expect(await location(page).inputValue()).toBe('Webuye Falls')
    expect(await dialog(page).textContent()).toMatch(/0\.\d{6}, 34\.\d{6}/)
    await press(page, 'Control+Enter')
    await toasts(page).getByText('Attraction added successfully', { exact: true }).waitFor()
    const { results } = await twende.read('attractions/all/?name=By keyboard', PageOf(Attraction))
    expect(results[0]?.location.placeName).toBe('Webuye Falls')
    expect(foreign).toEqual([])
  })

  test('does not save typed text until a suggestion is chosen (S5.2)', async () => {
    const page = await twende.open('/attractions')
    const posts: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') posts.push(request.url())
    })
    await openForm(page)
    await location(page).fill('karura')
    await options(page).first().waitFor()
    await press(page, 'Control+Enter')
    const isValid = () =>
      location(page).evaluate((input) => input instanceof HTMLInputElement && input.validity.valid)
    expect(await isValid()).toBe(false)
    await press(page, 'Enter')
    expect(await isValid()).toBe(true)
    expect(posts).toEqual([])
  })

  test('offers Retry after a failed search, and says when no place is found (S5.2)', async () => {
    twende.expectTrouble(/status of 500/)
    const page = await twende.open('/attractions', { answers: true })
    await openForm(page)
    await page.route('**/oms/places/?*', (route) => route.fulfill({ status: 500, json: {} }))
    await location(page).fill('karura')
    await dialog(page).getByRole('button', { name: 'Retry' }).waitFor()
    await page.unroute('**/oms/places/?*')
    await press(page, 'Enter')
    await options(page).first().waitFor()
    await location(page).fill('zzqqxx')
    await dialog(page).getByText('No places found').waitFor()
  })
})

describe('the location input with a Google Maps key (Google is stubbed)', () => {
  const twende = useConsole(undefined, { OMS_MAPS_KEY: 'key-of-this-installation' })
  const karura = {
    id: 'g1',
    name: 'Karura Forest',
    address: 'Limuru Rd, Nairobi',
    lat: -1.2345678,
    lng: 36.8,
  }
  const kareen = {
    id: 'g2',
    name: 'Karen Blixen Museum',
    address: 'Karen Rd, Nairobi',
    lat: -1.35,
    lng: 36.71,
  }
  const nowhere = { id: 'g3', name: 'Karnowhere', address: 'Nairobi' }

  const open = async (knowledge: Parameters<typeof stubGoogle>[1]) => {
    const page = await twende.open('/favicon.svg', { answers: true })
    const loads = await stubGoogle(page, knowledge)
    await page.goto(`${twende.url}/attractions`)
    await openForm(page)
    return { page, loads }
  }
  const asked = (page: Page) => page.evaluate(() => window.stubbedGoogle.asked)

  test('loads Google on first use, searches Kenyan establishments in one session per choice, and fetches three fields (S2.n.3, S7.38, S9.10)', async () => {
    const { page, loads } = await open({ places: [karura, kareen] })
    expect(loads).toEqual([])
    await location(page).pressSequentially('kar', { delay: 300 })
    await options(page).nth(1).waitFor()
    expect(loads.map(({ searchParams }) => [searchParams.get('key'), searchParams.get('libraries')])).toEqual(
      [['key-of-this-installation', 'places']],
    )
    expect(await options(page).allTextContents()).toEqual([
      'Karura ForestLimuru Rd, Nairobi',
      'Karen Blixen MuseumKaren Rd, Nairobi',
    ])
    expect(await dialog(page).getByText('Powered by Google').isVisible()).toBe(true)
    await press(page, 'ArrowDown', 'ArrowUp', 'Enter')
    await dialog(page).getByText('-1.234568, 36.800000').waitFor()
    expect(await location(page).inputValue()).toBe('Karura Forest')
    await location(page).fill('karen')
    await options(page).first().click()
    await dialog(page).getByText('-1.350000, 36.710000').waitFor()
    const requests = await asked(page)
    expect(requests.at(-1)).toEqual({
      input: 'karen',
      includedRegionCodes: ['ke'],
      includedPrimaryTypes: ['establishment'],
      language: 'en',
      region: 'ke',
      session: 2,
    })
    expect(new Set(requests.slice(0, -1).map(({ session }) => session))).toEqual(new Set([1]))
    const fields = ['displayName', 'formattedAddress', 'location']
    expect(await page.evaluate(() => window.stubbedGoogle.fields)).toEqual([fields, fields])
    expect(loads).toHaveLength(1)
    await press(page, 'Control+Enter')
    await toasts(page).getByText('Attraction added successfully', { exact: true }).waitFor()
    const { results } = await twende.read('attractions/all/', PageOf(Attraction))
    expect(results[0]).toMatchObject({ lat: '-1.350000', lng: '36.710000' })
  })

  test('shows "No places found" for an empty answer from Google, without using the gazetteer', async () => {
    const { page } = await open({ places: [] })
    await location(page).fill('karura')
    await dialog(page).getByText('No places found').waitFor()
    expect(await dialog(page).getByText(fallback).count()).toBe(0)
  })

  test('does not show a late answer to an earlier search', async () => {
    const { page } = await open({ places: [karura, kareen], held: ['karu'] })
    await location(page).fill('karu')
    await page.waitForFunction(() => 'stubbedGoogle' in window && window.stubbedGoogle.asked.length === 1)
    await location(page).fill('karen')
    await options(page).first().waitFor()
    await page.evaluate(async () => {
      window.stubbedGoogle.release('karu')
      await new Promise((resolve) => setTimeout(resolve, 50))
    })
    expect(await options(page).allTextContents()).toEqual(['Karen Blixen MuseumKaren Rd, Nairobi'])
    expect(await dialog(page).getByText(fallback).count()).toBe(0)
  })

  const failures: [name: string, trouble: RegExp[], prepare: (page: Page) => Promise<unknown>][] = [
    [
      'Google’s script is blocked',
      [/ERR_(FAILED|INTERNET_DISCONNECTED)/],
      (page) => page.route(script, (route) => route.abort()),
    ],
    [
      'Google’s script answers 500',
      [/status of 500/],
      (page) => page.route(script, (route) => route.fulfill({ status: 500 })),
    ],
    ['Google refuses the key', [], (page) => stubGoogle(page, { places: [karura], refusesKey: true })],
    ['Google’s search fails', [], (page) => stubGoogle(page, { places: [karura], failsToFind: true })],
    [
      'Google’s search gets no answer',
      [],
      (page) => stubGoogle(page, { places: [karura], held: ['karura'] }),
    ],
    ['Google’s script gets no answer', [], (page) => page.route(script, () => Promise.resolve())],
  ]
  test.each(failures)('uses the gazetteer and says so when %s', async (_name, trouble, prepare) => {
    twende.expectTrouble(...trouble)
    const page = await twende.open('/favicon.svg', { answers: true })
    await prepare(page)
    await page.goto(`${twende.url}/attractions`)
    await openForm(page)
    await location(page).fill('karura')
    await dialog(page).getByText(fallback).waitFor()
    expect(await options(page).count()).toBeGreaterThan(0)
    expect(await dialog(page).getByText('Powered by Google').count()).toBe(0)
    await press(page, 'Enter')
    expect(await location(page).inputValue()).toMatch(/Karura/)
    await press(page, 'Escape', 'g', 'y')
    await dialog(page).getByText('Places from Google').waitFor()
  })

  test('keeps the typed text and offers the gazetteer when Google has no coordinates for the chosen place', async () => {
    const { page } = await open({ places: [nowhere] })
    await location(page).fill('kar')
    await options(page).filter({ hasText: 'Karnowhere' }).click()
    await dialog(page).getByText('Google cannot tell where Karnowhere is.').waitFor()
    expect(await location(page).inputValue()).toBe('kar')
    await options(page).first().waitFor()
    await press(page, 'Enter')
    await dialog(page)
      .getByText(/-?\d\.\d{6}, 3\d\.\d{6}/)
      .waitFor()
    // The next search uses Google again.
    await location(page).fill('karn')
    await options(page).filter({ hasText: 'Karnowhere' }).waitFor()
  })
})
