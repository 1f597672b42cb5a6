import type { DriverInvite } from '../api/contract.ts'
import { customer } from '../commands/nouns/customer.ts'
import { driver } from '../commands/nouns/driver.ts'
import { invite as noun } from '../commands/nouns/invite.ts'
import { inviteCode } from '../format.ts'
import { listScreen } from './screen.tsx'
import { dayColumn, idColumn, partyColumn } from './table/columns.tsx'
import { partyName } from '../commands/party.ts'

/** S2.l */
export const invites = listScreen<DriverInvite>({
  noun,
  title: 'invites',
  empty: 'No Invites to display',
  columns: [
    idColumn(6, (invite) => invite.id),
    { ...partyColumn(driver, 13, (invite) => invite.driver), card: 'name' },
    partyColumn(customer, 12, (invite) => invite.customer),
    {
      id: 'code',
      header: 'Invite code',
      card: 'end',
      width: 9,
      cell: (invite) => inviteCode(partyName(invite.driver), invite.driver?.id),
    },
    // S2.l.2: Date joined is the day of the invite.
    dayColumn('date-joined', 'Date joined', (invite) => invite.created_at, 'The date of the invite'),
  ],
})
