import type { DriverInvite } from '../api/contract.ts'
import { listInvites } from '../api/invites.ts'
import { driverHref } from '../commands/drivers.ts'
import { inviteCode, text } from '../format.ts'
import { listScreen } from './screen.tsx'
import { dayColumn, textColumn } from './ui/columns.tsx'
import { partyName } from './ui/party.ts'
import { RecordLink } from './ui/record-link.tsx'

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
    textColumn('ID #', 6, (invite) => invite.id),
    {
      id: 'driver',
      header: 'Driver',
      width: 13,
      control: true,
      cell: (invite) => (
        <RecordLink href={driverHref(invite.driver?.id)}>{text(invite.driver?.user?.fullname)}</RecordLink>
      ),
      exact: (invite) => text(invite.driver?.user?.fullname),
    },
    textColumn('Customer', 12, (invite) => partyName(invite.customer)),
    {
      id: 'code',
      header: 'Invite code',
      width: 9,
      cell: (invite) => inviteCode(invite.driver?.user?.fullname, invite.driver?.id),
    },
    // S2.l.2: Date joined is the day of the invite.
    dayColumn('Date joined', (invite) => invite.created_at, 'The date of the invite'),
  ],
})
