import type { PromoCode } from '../api/contract.ts'
import type { Row } from '../api/loose.ts'
import { customer } from '../commands/nouns/customer.ts'
import { promo as noun } from '../commands/nouns/promo.ts'
import { calendarDay, isOver, yesOrNo } from '../format.ts'
import { listScreen } from './screen.tsx'
import { amountColumn, expiredState, idColumn, textColumn } from './table/columns.tsx'
import { CreateButton, EditAndDelete } from './written.tsx'
import { partyNameAndPhone } from '../commands/party.ts'
import { partyAndPhone } from './table/party-link.tsx'

const userOf = ({ user }: Row<PromoCode>) => partyNameAndPhone(user)

/** S2.q */
export const promos = listScreen<PromoCode>({
  noun,
  title: 'Promo codes',
  isPast: (promo) => isOver(promo.valid_till, new Date()),
  empty: 'No promo codes to display',
  actions: <CreateButton noun={noun} label="Create promo code" />,
  columns: [
    idColumn(4, (promo) => promo.id),
    { ...textColumn('code', 'Code', 7.5, (promo) => promo.code), card: 'name' },
    textColumn('title', 'Title', 7.5, (promo) => promo.title),
    textColumn('description', 'Description', 7.5, (promo) => promo.description),
    { ...amountColumn('amount', 'Amount', (promo) => promo.amount), card: 'end' },
    {
      ...textColumn<Row<PromoCode>>('expiry-date', 'Expiry date', 7.75, (promo) =>
        calendarDay(promo.valid_till),
      ),
      state: ({ valid_till }) => expiredState(isOver(valid_till, new Date())),
    },
    {
      id: 'user',
      header: 'User',
      width: 12.5,
      control: true,
      cell: (promo) => partyAndPhone(customer, promo.user),
      copy: userOf,
      exact: userOf,
    },
    textColumn('redeemed', 'Redeemed', 5.25, ({ redemeed }) => yesOrNo(redemeed)),
    {
      id: 'actions',
      header: 'Actions',
      width: 11,
      control: true,
      cell: (row) => <EditAndDelete noun={noun} row={row} />,
    },
  ],
})
