import type { Coupon } from '../api/contract.ts'
import type { Row } from '../api/loose.ts'
import { partyId, partyName } from '../commands/party.ts'
import { coupon as noun } from '../commands/nouns/coupon.ts'
import { customer } from '../commands/nouns/customer.ts'
import { calendarDay, day, dayAndTime, isOver } from '../format.ts'
import { listScreen } from './screen.tsx'
import { amountColumn, expiredState, idColumn, textColumn } from './table/columns.tsx'
import { partyLinks } from './table/party-link.tsx'
import { CreateButton, EditAndDelete } from './written.tsx'

const userNames = ({ users }: Row<Coupon>) =>
  Array.isArray(users) ? users.map(partyName).filter(Boolean).join(', ') : ''

/** S2.p */
export const coupons = listScreen<Coupon>({
  noun,
  title: 'Coupons',
  isPast: (coupon) => isOver(coupon.valid_till, new Date()),
  empty: 'No Invites to display', // S2.p.4
  actions: <CreateButton noun={noun} label="Create coupon" />,
  columns: [
    idColumn(5, (coupon) => coupon.id),
    { ...textColumn('code', 'Code', 11, (coupon) => coupon.code), card: 'name' },
    { ...amountColumn('amount', 'Amount', (coupon) => coupon.amount), card: 'end' },
    {
      // S2.p.3: Expiry date shows created_at; the exact value names both (R4).
      id: 'expiry-date',
      header: 'Expiry date',
      width: 7.75,
      cell: (coupon) => day(coupon.created_at),
      state: ({ valid_till }) => expiredState(isOver(valid_till, new Date())),
      exact: ({ created_at, valid_till }) =>
        [
          ['Created', dayAndTime(created_at)],
          [isOver(valid_till, new Date()) ? 'Was valid till' : 'Valid till', calendarDay(valid_till)],
        ]
          .flatMap(([what, when]) => (when ? `${what}: ${when}` : []))
          .join('. '),
    },
    {
      id: 'users',
      header: 'Users',
      width: 20,
      control: true,
      cell: (coupon) =>
        Array.isArray(coupon.users) && coupon.users.some(partyId)
          ? partyLinks(customer, coupon.users)
          : userNames(coupon),
      copy: userNames,
      exact: userNames,
    },
    {
      id: 'actions',
      header: 'Actions',
      width: 11,
      control: true,
      cell: (row) => <EditAndDelete noun={noun} row={row} />,
    },
  ],
})
