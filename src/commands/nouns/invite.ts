import type { DriverInvite } from '../../api/contract.ts'
import { text } from '../../format.ts'
import type { Noun } from '../noun.ts'
import { defineNoun } from '../noun.ts'
import { dayFilters } from './days.ts'
import { driverHref, nameOrPhone } from './driver.ts'

export const invite: Noun<DriverInvite> = defineNoun({
  name: 'invite',
  singular: 'invite',
  plural: 'invites',
  words: ['invitation', 'invitations', 'driver invite', 'driver invites', 'mwaliko', 'mialiko'],
  owners: ['driver', 'customer'],
  path: '/invites',
  calls: { collection: 'invites', list: 'driver-invites/' },
  nameOf: (row) => `invite ${text(row.id)}`,
  href: (row) => driverHref(row.driver?.id),
  search: { parameter: 's', placeholder: 'Search driver by name or phone number...' },
  find: nameOrPhone,
  filters: dayFilters,
  date: 'Invited',
  commands: [],
})
