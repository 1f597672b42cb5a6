import type { Form } from './form.ts'
import { nounOf } from './noun.ts'

const declared = new Map<string, Form>()

/** Declares the form of records that no screen lists. */
export function defineForm(form: Form): Form {
  declared.set(form.noun, form)
  return form
}

/** The form of the records of a noun, if it has one. */
export const formOf = (noun: string): Form | undefined => declared.get(noun) ?? nounOf(noun).form
