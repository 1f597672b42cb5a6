import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { afterEach, describe, expect, test } from 'vitest'
import { Driver, Page as PageOf } from '../../src/api/contract.ts'
import { toasts, useConsole } from '../support/console.ts'
import { readWorkbook } from '../support/xlsx.ts'

const twende = useConsole()
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const label = 'Export Drivers to Excel'
const failed = 'Failed to download the data. Please try again.'

const servers = new Set<ReturnType<typeof createServer>>()
afterEach(() => {
  for (const server of servers) server.close().closeAllConnections()
  servers.clear()
})

/** Sends the export call of the page to a local HTTP server with this listener. */
async function answerExport(page: Page, answer: RequestListener): Promise<void> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  servers.add(server)
  await new Promise((resolve) => server.once('listening', resolve))
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('The local server has no port.')
  const url = `http://127.0.0.1:${address.port}/`
  await page.route('**/drivers-export-excel/', (route) => route.continue({ url }))
}

/** Collects the suggested file names of the page's downloads. */
function listenToDownloads(page: Page): string[] {
  const names: string[] = []
  page.on('download', (download) => names.push(download.suggestedFilename()))
  return names
}

describe('exporting', () => {
  test('a click saves all drivers as drivers_data.xlsx (S2.d.1, S4.11, S7.9, S9.11)', async () => {
    const { results, count } = await twende.read('drivers/?page_size=50', PageOf(Driver))
    const page = await twende.open('/riders')
    const download = page.waitForEvent('download')
    await button(page, label).click()
    const file = await download
    expect(file.suggestedFilename()).toBe('drivers_data.xlsx')
    const { sheets } = readWorkbook(await readFile(await file.path()))
    const rows = sheets[0]?.rows.slice(1) ?? []
    expect(rows).toHaveLength(count)
    expect(rows.slice(0, 50).map((row) => row.slice(0, 3))).toEqual(
      results.map(({ id, user }) => [id, user.fullname, `+${user.phone_number}`]),
    )
    await button(page, label).waitFor()
    expect(await toasts(page).count()).toBe(0)
  })

  test.each([
    ['a chunked body', {}],
    ['a body with Content-Length', { 'content-length': 1_000_000 }],
  ])(
    'a connection that is cut within %s shows the failure toast and saves no file (S8.3)',
    async (_how, headers) => {
      twende.expectTrouble(
        /ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONTENT_LENGTH_MISMATCH|Failed to load resource/,
      )
      const page = await twende.open('/riders', { answers: true })
      const saved = listenToDownloads(page)
      await answerExport(page, (_request, response) => {
        response.writeHead(200, headers).write(Buffer.alloc(100_000), () => response.destroy())
      })
      await button(page, label).click()
      await toasts(page).getByText(failed, { exact: true }).waitFor()
      await button(page, label).waitFor()
      expect(saved).toEqual([])
    },
  )

  test('a double click starts one export, the received bytes are shown, and Cancel closes the connection (S4.11)', async () => {
    const page = await twende.open('/riders', { answers: true })
    const saved = listenToDownloads(page)
    let asked = 0
    const left = Promise.withResolvers<null>()
    await answerExport(page, (_request, response) => {
      asked++
      // Keep sending: the page shows the bytes of a piece only when the next piece arrives.
      const pieces = setInterval(() => response.write(Buffer.alloc(100_000)), 20)
      response.once('close', () => {
        clearInterval(pieces)
        left.resolve(null)
      })
    })
    await button(page, label).dblclick()
    await button(page, 'Downloading...').waitFor()
    await expect.poll(() => page.getByRole('progressbar').textContent()).not.toBe('0.0 MB')
    expect(asked).toBe(1)
    await button(page, 'Cancel').click()
    await left.promise
    await button(page, label).waitFor()
    expect([saved, await toasts(page).count()]).toEqual([[], 0])
  })
})
