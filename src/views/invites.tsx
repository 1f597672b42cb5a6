import type { DriverInvite } from '../api/contract.ts'
import { listInvites } from '../api/invites.ts'
import { driverHref } from '../commands/drivers.ts'
import { inviteCode, text } from '../format.ts'
import { listScreen } from './screen.tsx'
import { dayColumn, idColumn, linkColumn, textColumn } from './ui/columns.tsx'
import { partyName } from './ui/party.ts'

/** S2.l */
export const invites = listScreen<DriverInvite>({
  path: '/invites',
  title: 'invites',
  load: listInvites,
  record: (invite) => `invite:${text(invite.id)}`,
  href: (invite) => driverHref(invite.driver?.id),
  commands: [],
  search: { parameter: 's', placeholder: 'Search driver by name or phone number...' },
  empty: 'No Invites to display',
  columns: [
    idColumn(6, (invite) => invite.id),
    linkColumn(
      'Driver',
      13,
      (invite) => driverHref(invite.driver?.id),
      (invite) => partyName(invite.driver),
    ),
    textColumn('Customer', 12, (invite) => partyName(invite.customer)),
    {
      id: 'code',
      header: 'Invite code',
      width: 9,
      cell: (invite) => inviteCode(partyName(invite.driver), invite.driver?.id),
    },
    // S2.l.2: Date joined is the day of the invite.
    dayColumn('Date joined', (invite) => invite.created_at, 'The date of the invite'),
  ],
})
