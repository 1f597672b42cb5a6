import { HTTPError } from 'ky'
import { text } from '../format.ts'
import { bodyOf, entriesOf } from './run.ts'

/** What the server finds wrong with each field; empty if it names none. */
export function fieldErrorsOf(error: unknown): Record<string, string[]> {
  const errors: unknown = error instanceof HTTPError ? bodyOf(error).get('errors') : null
  return Object.fromEntries(
    [...entriesOf(errors)].map(([field, texts]) => [field, Array.isArray(texts) ? texts.map(text) : []]),
  )
}
