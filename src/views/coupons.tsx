import type { Coupon } from '../api/contract.ts'
import { listCoupons } from '../api/coupons.ts'
import { couponCommands, couponForm } from '../commands/coupons.ts'
import { recordOf } from '../commands/form.ts'
import { calendarDay, day, dayAndTime, isOver } from '../format.ts'
import { listScreen } from './screen.tsx'
import { amountColumn, idColumn, textColumn } from './ui/columns.tsx'
import { CommandButton } from './ui/command-button.tsx'
import { partyName } from './ui/party.ts'

const { create, edit, remove } = couponCommands

/** S2.p */
export const coupons = listScreen<Coupon>({
  path: '/coupons',
  title: 'Coupons',
  load: listCoupons,
  record: (coupon) => recordOf(couponForm, coupon),
  targets: (coupon) => ({ coupon }),
  commands: [create, edit, remove],
  isPast: (coupon) => isOver(coupon.valid_till, new Date()),
  empty: 'No Invites to display', // S2.p.4
  actions: (
    <CommandButton
      command={create}
      targets={{}}
      label="Create coupon"
      record={recordOf(couponForm, null)}
      opensForm
      kind="primary"
    />
  ),
  columns: [
    idColumn(5, (coupon) => coupon.id),
    textColumn('Code', 11, (coupon) => coupon.code),
    amountColumn('Amount', (coupon) => coupon.amount),
    {
      // S2.p.3: Expiry date shows created_at; the exact value names both (R4).
      id: 'expiry-date',
      header: 'Expiry date',
      width: 7.75,
      cell: (coupon) => day(coupon.created_at),
      exact: ({ created_at, valid_till }) =>
        [
          ['Created', dayAndTime(created_at)],
          [isOver(valid_till, new Date()) ? 'Was valid till' : 'Valid till', calendarDay(valid_till)],
        ]
          .flatMap(([what, when]) => (when ? `${what}: ${when}` : []))
          .join('. '),
    },
    textColumn('Users', 20, ({ users }) =>
      Array.isArray(users) ? users.map(partyName).filter(Boolean).join(', ') : '',
    ),
    {
      id: 'actions',
      header: 'Actions',
      width: 11,
      control: true,
      cell: (coupon) => {
        const button = { targets: { coupon: [coupon] }, record: recordOf(couponForm, coupon) }
        return (
          <>
            <CommandButton {...button} command={edit} label="Edit" opensForm />
            <CommandButton {...button} command={remove} label="Delete" />
          </>
        )
      },
    },
  ],
})
