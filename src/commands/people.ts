import type { Row } from '../api/loose.ts'
import { phone, text } from '../format.ts'
import { copyText } from './clipboard.ts'
import type { Command, Context } from './command.ts'
import { rowsOf } from './command.ts'

/** What drivers and customers have in common. */
interface Person {
  user: { fullname: string; phone_number: string }
}

/** Copies the phone number of one driver or customer. */
export function copyPhoneOf(name: 'driver' | 'customer', nameOf: (row: Row<Person>) => string): Command {
  const pick = (context: Context) =>
    rowsOf<Person>(name, context).filter((row) => text(row.user?.phone_number) !== '')
  return {
    id: `${name}.copyPhone`,
    noun: name,
    about: `Copy the ${name}'s phone number`,
    title: (context) => {
      const [person] = pick(context)
      return `Copy phone number of ${person ? nameOf(person) : name}`
    },
    verbs: ['copy phone', 'copy phone number', 'phone', 'call', 'copy', 'piga'],
    keywords: 'clipboard telephone mobile',
    unfit: 'No phone number',
    when: (context) => pick(context).length === 1,
    run: async (context) => {
      const [person] = pick(context)
      const number = phone(person?.user?.phone_number)
      await copyText(`Copy phone number ${number}`, number)
    },
  }
}
