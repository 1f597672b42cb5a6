import type { PromoCode } from '../api/contract.ts'
import { listPromoCodes } from '../api/promos.ts'
import { recordOf } from '../commands/form.ts'
import { promoCommands, promoForm } from '../commands/promos.ts'
import { calendarDay, yesOrNo } from '../format.ts'
import { listScreen } from './screen.tsx'
import { amountColumn, idColumn, textColumn } from './ui/columns.tsx'
import { CommandButton } from './ui/command-button.tsx'
import { partyNameAndPhone } from './ui/party.ts'

const { create, edit, remove } = promoCommands

/** S2.q */
export const promos = listScreen<PromoCode>({
  path: '/promos',
  title: 'Promo codes',
  load: listPromoCodes,
  record: (promo) => recordOf(promoForm, promo),
  targets: (promo) => ({ promo }),
  commands: [create, edit, remove],
  empty: 'No promo codes to display',
  actions: (
    <CommandButton
      command={create}
      targets={{}}
      label="Create promo code"
      record={recordOf(promoForm, null)}
      opensForm
      kind="primary"
    />
  ),
  columns: [
    idColumn(4, (promo) => promo.id),
    textColumn('Code', 7.5, (promo) => promo.code),
    textColumn('Title', 7.5, (promo) => promo.title),
    textColumn('Description', 7.5, (promo) => promo.description),
    amountColumn('Amount', (promo) => promo.amount),
    textColumn('Expiry date', 7.75, (promo) => calendarDay(promo.valid_till)),
    textColumn('User', 12.5, (promo) => partyNameAndPhone(promo.user)),
    textColumn('Redeemed', 5.25, ({ redemeed }) => yesOrNo(redemeed)),
    {
      id: 'actions',
      header: 'Actions',
      width: 11,
      control: true,
      cell: (promo) => {
        const button = { targets: { promo: [promo] }, record: recordOf(promoForm, promo) }
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
