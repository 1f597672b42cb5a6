import type { DriverInvite } from '../api/contract.ts'
import { driverHref } from '../commands/nouns/driver.ts'
import { invite as noun } from '../commands/nouns/invite.ts'
import { inviteCode } from '../format.ts'
import { listScreen } from './screen.tsx'
import { dayColumn, idColumn, linkColumn, textColumn } from './table/columns.tsx'
import { partyName } from '../commands/party.ts'

/** S2.l */
export const invites = listScreen<DriverInvite>({
  noun,
  title: 'invites',
  empty: 'No Invites to display',
  columns: [
    idColumn(6, (invite) => invite.id),
    linkColumn(
      'driver',
      'Driver',
      13,
      (invite) => driverHref(invite.driver?.id),
      (invite) => partyName(invite.driver),
    ),
    textColumn('customer', 'Customer', 12, (invite) => partyName(invite.customer)),
    {
      id: 'code',
      header: 'Invite code',
      width: 9,
      cell: (invite) => inviteCode(partyName(invite.driver), invite.driver?.id),
    },
    // S2.l.2: Date joined is the day of the invite.
    dayColumn('date-joined', 'Date joined', (invite) => invite.created_at, 'The date of the invite'),
  ],
})
