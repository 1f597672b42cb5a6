import { getDefaultStore } from 'jotai'
import { mutate, pathTo } from '../../api/client.ts'
import { capabilitiesAtom, configAtom } from '../../api/config.ts'
import type { SosLog } from '../../api/contract.ts'
import type { Row } from '../../api/loose.ts'
import { coordinate, phoneHref, text } from '../../format.ts'
import { navigate } from '../../state/location.ts'
import { copyText } from '../clipboard.ts'
import type { Command, Context } from '../command.ts'
import { namedRefOf, rowsOf, some } from '../command.ts'
import { defineChange } from '../mutation.ts'
import type { Noun } from '../noun.ts'
import { defineNoun } from '../noun.ts'
import { partyNameAndPhone, partyPhone } from '../party.ts'
import { runMutation } from '../run.ts'
import { dayFilters } from './days.ts'
import { driverHref } from './driver.ts'

type Log = Row<SosLog>

const name = 'sos'
const store = getDefaultStore()
const nameOf = (log: Log) => `SOS log ${text(log.id)}`

/** Null while it is new. Absent if the server does not offer acknowledging (rulings, lists). */
export const isNew = ({ handled_at }: Log) => handled_at === null

export const acknowledge = changing('acknowledge', 'reopen', isNew, {
  keys: 'a',
  verbs: ['acknowledge', 'handle', 'handled', 'pokea'],
})
const reopen = changing('reopen', 'acknowledge', ({ handled_at }) => text(handled_at) !== '', {
  verbs: ['reopen', 'unacknowledge'],
})

export const callDriver = calling('driver', 't d')
export const callCustomer = calling('customer', 't c')

const partiesOf = ({ trip }: Log) => [trip?.driver, trip?.customer]
const phonesOf = (log: Log) => partiesOf(log).filter(partyPhone).map(partyNameAndPhone).join('\n')

const copyPhones: Command = {
  ...about('copyPhones', 'Copy the phone numbers', phonesOf),
  keys: 't n',
  verbs: ['copy numbers', 'copy phone numbers'],
  run: (context) => copyText(copyPhones.title(context), phonesOf(theOne(context))),
}

const pointOf = ({ latitude, longitude }: Log) => [latitude, longitude].map(coordinate).filter(Boolean)

/** Google Maps where a key is set; else the app that this device has for maps (RFC 5870). */
export function mapHref(log: Log): string {
  const point = pointOf(log)
  if (point.length < 2) return ''
  return store.get(configAtom).mapsKey
    ? `https://www.google.com/maps/search/?api=1&query=${point.join()}`
    : `geo:${point.join()}`
}

export const openMap: Command = {
  ...opening('openMap', 'Open the map', mapHref),
  keys: 'm',
  verbs: ['map', 'ramani'],
  title: (context) => `Open map at ${pointOf(theOne(context)).join(', ')}`,
}

const openDriver: Command = {
  ...opening('openDriver', 'Open the driver of the trip', ({ trip }) => driverHref(trip?.driver?.id)),
  keys: 't p',
  verbs: ['open the driver of'],
}

const openTrip: Command = {
  ...opening(
    'openTrip',
    'Open the trip',
    ({ trip }) => text(trip?.id) && `/trips?filter=id:${text(trip?.id)}`,
  ),
  keys: 't t',
  verbs: ['open the trip of'],
}

export const sos: Noun<SosLog> = defineNoun({
  name,
  singular: 'SOS log',
  plural: 'SOS logs',
  words: ['sos', 'emergency', 'emergencies', 'alarm', 'alarms', 'panic', 'dharura'],
  owners: ['driver', 'customer'],
  path: '/sos',
  calls: { collection: name, list: 'sos-lists/' },
  nameOf,
  // The numbers to call can be read in the palette.
  describe: (log) => partiesOf(log).map(partyNameAndPhone).filter(Boolean).join(' · ') || 'SOS log',
  filters: [
    { term: 'new', label: 'New', words: ['unhandled', 'open'] },
    { term: 'handled', label: 'Handled', words: ['acknowledged'] },
    ...dayFilters,
  ],
  date: 'SOS date',
  commands: [acknowledge, reopen, callDriver, callCustomer, copyPhones, openMap, openDriver, openTrip],
})

/** The only SOS log among the targets; without fields if there is none, or more than one. */
function theOne(context: Context): Log {
  const [log, ...others] = rowsOf<SosLog>(name, context)
  return log && others.length === 0 ? log : {}
}

/** A command for one SOS log, offered where `value` is not blank. */
function about(verb: string, about: string, value: (log: Log) => string) {
  return {
    id: `${name}.${verb}`,
    noun: name,
    about: `${about} of the SOS log`,
    title: (context: Context) => `${about} of ${nameOf(theOne(context))}`,
    when: (context: Context) => value(theOne(context)) !== '',
  }
}

/** Opens an address of the console, or with another program. */
function opening(verb: string, what: string, href: (log: Log) => string): Command {
  return {
    ...about(verb, what, href),
    run: (context) => {
      const address = href(theOne(context))
      if (address.startsWith('/')) navigate(address)
      else if (address.startsWith('https:')) window.open(address, '_blank', 'noopener')
      else window.open(address, '_self')
    },
  }
}

/** Blank if there is no number. */
export const callHref = (party: unknown): string => phoneHref(partyPhone(party))

function calling(who: 'driver' | 'customer', keys: string): Command {
  const partyOf = ({ trip }: Log) => trip?.[who]
  return {
    ...opening(`call${who === 'driver' ? 'Driver' : 'Customer'}`, `Call the ${who}`, (log) =>
      callHref(partyOf(log)),
    ),
    keys,
    verbs: [`call ${who}`],
    title: (context) => `Call ${who} ${partyNameAndPhone(partyOf(theOne(context)))}`,
  }
}

/** S8.11: without toasts. */
function changing(
  verb: 'acknowledge' | 'reopen',
  inverse: string,
  fits: (log: Log) => boolean,
  more: Partial<Command>,
): Command {
  const label = verb.replace(/^./, (letter) => letter.toUpperCase())
  const change = defineChange({
    command: `${name}.${verb}`,
    label: (ref) => `${label} ${ref.name}`,
    doing: `${label.replace(/e$/, '')}ing`,
    affects: [name],
    perform: ({ id }, _args, key) => mutate(pathTo(`sos/{id}/${verb}/`, id), key),
    inverse: `${name}.${inverse}`,
  })
  const pick = (context: Context) =>
    store.get(capabilitiesAtom).acknowledge ? rowsOf<SosLog>(name, context).filter(fits) : []
  const title = (context: Context) => {
    const [log, ...others] = pick(context)
    const all = rowsOf(name, context).length
    return `${label} ${!log ? 'the SOS log' : others.length ? `${some(others.length + 1, all)} SOS logs` : nameOf(log)}`
  }
  return {
    id: change.command,
    noun: name,
    about: `${label} the SOS log`,
    title,
    when: (context) => pick(context).length > 0,
    run: async (context) => {
      const refs = pick(context).map((log) => namedRefOf({ name }, log, nameOf(log)))
      await runMutation({ command: change.command, refs, args: {}, label: title(context) })
    },
    ...more,
  }
}
