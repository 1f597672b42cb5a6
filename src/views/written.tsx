import type { Row } from '../api/loose.ts'
import type { Command } from '../commands/command.ts'
import type { Noun } from '../commands/noun.ts'
import { CommandButton } from './ui/command-button.tsx'

interface WrittenNoun extends Pick<Noun, 'name'> {
  create: Command
  edit: Command
  remove: Command
}

/** The button next to a list's title that opens the form for a new record. */
export function CreateButton({ noun, label }: { noun: WrittenNoun; label: string }) {
  return <CommandButton command={noun.create} noun={noun} row={null} label={label} opensForm kind="primary" />
}

/** The buttons at the end of a row or card of an attraction, blog, coupon or promo code. */
export function EditAndDelete({ noun, row }: { noun: WrittenNoun; row: Row<object> }) {
  return (
    <>
      <CommandButton command={noun.edit} noun={noun} row={row} label="Edit" opensForm />
      <CommandButton command={noun.remove} noun={noun} row={row} label="Delete" />
    </>
  )
}
