import { randomUUID } from 'node:crypto'
import { multipart, png } from '../../tests/support/storage.ts'
import { api, timed } from './calls.ts'
import type { Subject } from './subjects.ts'

type Client = Pick<Subject, 'url' | 'headers'>

interface Action {
  name: string
  /** How often it is done, compared with the others. */
  weight: number
  path: () => string
  change?: true
}

/** A random whole number below this one, from 0. */
export const any = (below: number) => Math.floor(Math.random() * below)
const oneOf = (texts: readonly string[]) => texts[any(texts.length)] ?? ''
const letters = () => oneOf(['ka', 'wa', 'mu', 'an', 'ng', 'ch', 'ki', 'ro', 'om', 'ja'])

/** What staff do all day, with this many drivers. Suspends and unsuspends drivers. */
export function actionsFor(drivers: number): Action[] {
  const lists = ['drivers', 'trips', 'all-invoices', 'customers', 'pre-bookings', 'sos-lists']
  const filtered = ['trips/?filter=completed', 'all-invoices/?filter=overdue', 'drivers/?filter=online']
  return [
    { name: 'list', weight: 8, path: () => `${oneOf(lists)}/` },
    { name: 'list, any page', weight: 3, path: () => `${oneOf(lists)}/?page=${String(1 + any(1_000))}` },
    { name: 'list with a filter', weight: 3, path: () => oneOf(filtered) },
    { name: 'list, two letters', weight: 1, path: () => `drivers/?s=${letters()}` },
    { name: 'search over everything', weight: 4, path: () => `search/?q=${letters()}${letters()}` },
    { name: 'one driver', weight: 5, path: () => `drivers/${String(1 + any(drivers))}` },
    { name: 'dashboard', weight: 1, path: () => 'trends/?days=90' },
    {
      name: 'suspend or unsuspend',
      weight: 4,
      path: () => `driver/${String(1 + any(drivers))}/${oneOf(['suspend', 'unfreeze'])}/`,
      change: true,
    },
  ]
}

/** Does one of the actions and returns its time in ms. Throws if it is not answered with 2xx. */
export function act(server: Client, { path, change }: Action): Promise<number> {
  return timed(
    server,
    api + path(),
    change && { method: 'POST', headers: { 'idempotency-key': randomUUID() } },
  )
}

/** Uploads a picture of 300 kB as browsers do, and deletes it. Returns the time of the upload in ms. */
export async function upload(server: Client): Promise<number> {
  const { headers, payload } = multipart(png(300_000))
  const name = encodeURIComponent(`uploads/${randomUUID()}.png`)
  const token = server.headers['authorization']?.replace('Bearer', 'Firebase') ?? ''
  const given = { url: server.url, headers: { ...headers, authorization: token } }
  const time = await timed(given, `/v0/b/oms/o?name=${name}`, { method: 'POST', body: payload })
  await timed({ ...given, headers: { authorization: token } }, `/v0/b/oms/o/${name}`, { method: 'DELETE' })
  return time
}
