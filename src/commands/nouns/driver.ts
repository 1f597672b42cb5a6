import { getDefaultStore } from 'jotai'
import { listOf, mutate, pathTo } from '../../api/client.ts'
import type { Driver as WireDriver, DriverTransaction, Trip } from '../../api/contract.ts'
import type { Row } from '../../api/loose.ts'
import { phone, text } from '../../format.ts'
import { dialogAtom } from '../../state/dialog.ts'
import { hrefOf, withParameters } from '../../state/list.ts'
import { locationAtom, navigate } from '../../state/location.ts'
import type { Command, Context } from '../command.ts'
import { areAlready, namedRefOf, rowsOf, some } from '../command.ts'
import type { Change } from '../mutation.ts'
import { defineChange } from '../mutation.ts'
import type { Noun } from '../noun.ts'
import { defineNoun } from '../noun.ts'
import { copyPhoneOf } from '../people.ts'
import { runMutation } from '../run.ts'
import { dayFilters } from './days.ts'

type Driver = Row<WireDriver>

const name = 'driver'
const store = getDefaultStore()

export const driverHref = (id: unknown) => text(id) && `/riders/${encodeURIComponent(text(id))}`

const hasId = (driver: Driver) => text(driver.id) !== ''
const nameOf = (driver: Driver) => text(driver.user?.fullname) || `driver ${text(driver.id)}`

/** S7.7, S4.3 */
export const suspend = changing({
  id: 'driver.suspend',
  verb: 'Suspend',
  verbs: ['suspend', 'block', 'freeze', 'ban', 'stop', 'simamisha', 'zuia'],

  path: 'driver/{id}/suspend/',
  keys: 's',
  fits: (driver) => hasId(driver) && driver.deleted !== true,
  others: 'suspended already',
  inverse: 'driver.unsuspend',
})

/** S7.8 */
export const unsuspend = changing({
  id: 'driver.unsuspend',
  verb: 'Unsuspend',
  verbs: ['unsuspend', 'unfreeze', 'unblock', 'unban', 'restore', 'reinstate', 'rejesha'],

  path: 'driver/{id}/unfreeze/',
  keys: 'u',
  fits: (driver) => hasId(driver) && driver.deleted === true,
  others: 'not suspended',
  inverse: 'driver.suspend',
})

const open: Command = {
  id: 'driver.open',
  noun: name,
  about: 'Open the driver',
  title: (context) => `Open ${namesOf(pick(context, hasId))}`,
  verbs: ['open', 'profile', 'details', 'fungua'],
  when: (context) => {
    const [driver, ...others] = pick(context, hasId)
    return driver !== undefined && others.length === 0 && context.path !== driverHref(driver.id)
  },
  run: (context) => {
    const [driver] = pick(context, hasId)
    if (driver) navigate(driverHref(driver.id))
  },
}

const copyPhone = copyPhoneOf(name, (row) => text(row.user?.fullname) || 'driver')

export const driver: Noun<WireDriver> = defineNoun({
  name,
  isPerson: true,
  singular: 'driver',
  plural: 'drivers',
  words: ['rider', 'riders', 'dereva', 'madereva', 'chauffeur'],
  path: '/riders',
  calls: { collection: 'drivers', list: 'drivers/', one: 'drivers/{id}' },
  nameOf: (row) => text(row.user?.fullname) || `Driver ${text(row.id)}`,
  describe: (row) =>
    [phone(row.user?.phone_number), `Driver ${text(row.id)}`, presenceOf(row)].filter(Boolean).join(' · '),
  href: (row) => driverHref(row.id),
  search: { parameter: 's', placeholder: 'Search driver by name...', of: nameOrPhone },
  find: nameOrPhone,
  filters: [
    { term: 'suspended', label: 'Suspended', words: ['blocked', 'frozen', 'banned'] },
    { term: 'online', label: 'Online', words: ['available'] },
    { term: 'busy', label: 'Busy', words: [] },
    { term: 'offline', label: 'Offline', words: [] },
    { term: 'unpaid', label: 'Owing', words: ['debtors', 'in debt'] },
    { term: 'active', label: 'Active', words: ['not suspended'] },
    ...dayFilters,
  ],
  date: 'Joined',
  commands: [suspend, unsuspend, open, copyPhone],
})

type Tab = 'jobs' | 'transactions'

/** The tab of a driver's history that the address names. */
export const tabOf = (search: string): Tab =>
  new URLSearchParams(search).get('tab') === 'transactions' ? 'transactions' : 'jobs'

const history = (tab: Tab, about: string): Command => ({
  id: `riders.${tab}`,
  about,
  title: () => about,
  keywords: 'history tab',
  when: ({ path }) => /^\/riders\/./.test(path) && tabOf(store.get(locationAtom).search) !== tab,
  run: () => {
    const { path, search } = store.get(locationAtom)
    store.set(locationAtom, {
      to: hrefOf(path, withParameters(search, { tab: tab === 'jobs' ? '' : tab })),
      replace: true,
    })
  },
})

/** S2.e.6: the commands that show each tab of a driver's history. */
export const histories = [
  history('jobs', 'Jobs history'),
  history('transactions', 'Transactions history'),
] as const

const pictureOf = (verb: string, field: 'id_front' | 'id_back' | 'license', label: string) => {
  const sourceOf = (row: Driver) => text(row[field])
  const about = `Enlarge the ${label}`
  const enlarge: Command = {
    id: `riders.${verb}`,
    about,
    title: () => about,
    keywords: 'picture photo zoom',
    when: (context) =>
      /^\/riders\/./.test(context.path) && pick(context, (row) => sourceOf(row) !== '').length > 0,
    run: (context) => {
      const [driver] = pick(context, (row) => sourceOf(row) !== '')
      if (driver)
        store.set(dialogAtom, {
          kind: 'picture',
          title: `${label} of ${nameOf(driver)}`,
          source: sourceOf(driver),
        })
    },
  }
  return { label, sourceOf, enlarge }
}

/** S2.e.4: the pictures of a driver, each with the command that enlarges it. */
export const pictures = [
  pictureOf('enlargeFront', 'id_front', 'ID front image'),
  pictureOf('enlargeBack', 'id_back', 'ID back image'),
  pictureOf('enlargeLicense', 'license', 'License image'),
]

/** S7.5, S7.6: the trips and transactions of a driver, five rows a page. */
export const driverTrips = (id: string, page: number, signal: AbortSignal) =>
  listOf<Trip>(pathTo('drivers/{id}/trips/', id), page, signal)
export const driverTransactions = (id: string, page: number, signal: AbortSignal) =>
  listOf<DriverTransaction>(pathTo('drivers/{id}/transactions/', id), page, signal)

/** Text of digits, spaces, dashes, dots, brackets and a leading plus is a phone number; 0… is the local form of +254…, and 00 stands for the plus. */
export function nameOrPhone(typed: string): { s: string; phone: string } {
  const digits = typed.replace(/\D/g, '').replace(/^00(?=\d)/, '')
  if (!digits || !/^\+?[\d\s().\u2010-\u2015-]+$/.test(typed)) return { s: typed, phone: '' }
  const isLocal = /^0\d/.test(digits) && !typed.startsWith('+')
  return { s: '', phone: isLocal ? `254${digits.slice(1)}` : digits }
}

function presenceOf(row: Driver): string {
  return row.deleted === true ? 'Suspended' : row.online === true ? 'Online' : 'Offline'
}

function pick(context: Context, fits: (row: Driver) => boolean): Driver[] {
  return rowsOf<WireDriver>(name, context).filter(fits)
}

/** "Jo Kamau", "5 drivers", or "5 of 7 drivers" if there are `all` of them. */
function namesOf(drivers: readonly Driver[], all = drivers.length): string {
  const [first, ...rest] = drivers
  if (!first) return 'driver'
  return rest.length ? `${some(drivers.length, all)} drivers` : nameOf(first)
}

interface Changing {
  id: string
  verb: string
  verbs: readonly string[]
  path: string
  keys: string
  fits: (row: Driver) => boolean
  /** What drivers are to whom it does not apply: "suspended already". */
  others: string
  /** The inverse command (R7). */
  inverse?: string
}

/** Declares a change of drivers without arguments and returns its command. */
function changing({ id, verb, verbs, path, keys, fits, others, inverse }: Changing): Command {
  const change: Change = {
    command: id,
    label: (ref) => `${verb} ${ref.name}`,
    doing: `${verb}ing`,
    affects: [name, 'analytics'],
    perform: (ref, _args, key) => mutate(pathTo(path, ref.id), key),
    succeeded: (message) => message,
    failed: 'An error occured!. Driver could not be unsuspended', // S8.1, S8.8: one text for every failure
    ...(inverse !== undefined && { inverse }),
  }
  defineChange(change)
  return {
    id,
    noun: name,
    about: `${verb} the driver`,
    title: (context) => `${verb} ${namesOf(pick(context, fits), rowsOf(name, context).length)}`,
    verbs,
    unfit: others.replace(/^./, (letter) => letter.toUpperCase()),
    note: (context) => areAlready(pick(context, (row) => !fits(row)).length, others),
    keys,
    when: (context) => pick(context, fits).length > 0,
    run: async (context) => {
      const refs = pick(context, fits).map((row) => namedRefOf({ name }, row, nameOf(row)))
      await runMutation({ command: id, refs, args: {}, label: `${verb} ${namesOf(pick(context, fits))}` })
    },
  }
}
