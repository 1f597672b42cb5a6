import { refOf } from './command.ts'
import { getDefaultStore } from 'jotai'
import { isRow } from '../api/loose.ts'
import type { Folder } from '../api/storage.ts'
import { numberOf, text } from '../format.ts'
import { dialogAtom } from '../state/dialog.ts'
import type { Draft, Values } from '../state/drafts.ts'
import { discardDraft, draftId, draftsAtom, keepDraft } from '../state/drafts.ts'
import { newId } from '../state/id.ts'
import type { Ref } from '../state/ref.ts'
import { refKey } from '../state/ref.ts'
import { busyAtom } from './run.ts'

/** One field of a form. Its name is that of the API, which the server uses in `errors`. */
export type Field = { name: string; label: string } & (
  | { kind: 'text' | 'amount' | 'date' | 'place' | 'checkbox' }
  | { kind: 'textarea'; rows: number }
  | { kind: 'select'; options: readonly string[] }
  | { kind: 'record'; noun: string }
  | ImageField
)

export interface ImageField {
  name: string
  label: string
  kind: 'image'
  folder: Folder
  /** True: uploaded when picked. False: uploaded when the form is saved. */
  isEager: boolean
  /** The server keeps the stored picture unless it gets another one, so it cannot be removed (S7.20). */
  isKept?: boolean
}

/** The fields of a form and how it is saved, for the records of one noun. If the record is null, it creates one. */
export interface Form<R = object> {
  /** The name of the noun whose records it writes. */
  noun: string
  title(record: R | null): string
  fields(record: R | null): readonly Field[]
  /** The values when the form opens. */
  values(record: R | null): Values
  /** What has to be done before the form can be sent; blank, or absent, if nothing. */
  missing?(values: Values, record: R | null): string
  /** The name of the record, for the activity panel. */
  nameOf(values: Values): string
  /** The fields to send. Picked files have been uploaded and are given as addresses. */
  fieldsOf(values: Values, record: R | null): Readonly<Record<string, unknown>>
  /** The texts of the button. */
  button: { ready: string; sending: string; uploading?: string }
  /** S4.8, S2.n.5: on success, on any result, or 2 seconds after the message of any result. */
  closes: 'onSuccess' | 'always' | 'afterMessage'
  /** S2.u.3, S2.u.5 */
  closesOnBackdrop: boolean
}

const store = getDefaultStore()

/** A record that was chosen in a form, with what the picker shows of it. */
export interface ChosenRecord {
  id: number
  name: string
  detail: string
}

/** Checks a received or stored value; null without an id. Drafts of older versions have `fullname`, `phone_number`. */
export function chosenRecord(value: unknown): ChosenRecord | null {
  if (!isRow<ChosenRecord & { fullname: string; phone_number: string }>(value)) return null
  const id = numberOf(value.id) // S7.32: numeric
  return id === null
    ? null
    : { id, name: text(value.name ?? value.fullname), detail: text(value.detail ?? value.phone_number) }
}

/** The ref of the record that a form edits or creates. Busy state and draft are stored under it. */
export const formRef = <R>({ noun }: Pick<Form<R>, 'noun'>, record: unknown): Ref =>
  refOf({ name: noun }, record)

/**
 * Opens a form. Values that are `given` are filled in, as if they had been chosen in it. A form that is being saved is
 * shown as it is.
 */
export function openForm<R>(form: Form<R>, record: R | null, given: Values = {}): void {
  const ref = formRef(form, record)
  const id = draftId(ref)
  const isBusy = store.get(busyAtom).has(refKey(ref))
  for (const field of isBusy ? [] : form.fields(record)) {
    if (given[field.name] === undefined) continue
    const stored = form.values(record)
    const untouched = { values: stored, base: stored, key: newId(), errors: {} }
    changeDraft(id, store.get(draftsAtom).get(id) ?? untouched, field, given[field.name])
  }
  store.set(dialogAtom, { kind: 'form', noun: form.noun, record })
}

/** Stores a changed field under a new Idempotency-Key. If all values equal the base again, the draft is discarded. */
export function changeDraft(id: string, draft: Draft, field: Field, value: unknown): void {
  const values = { ...draft.values, [field.name]: value }
  const answered = errorNames(field)
  const errors = Object.fromEntries(Object.entries(draft.errors).filter(([name]) => !answered.includes(name)))
  if (isSame(values, draft.base)) discardDraft(id)
  else keepDraft(id, { ...draft, values, errors, key: newId() })
}

/** The names that the server uses for a field in `errors`; for a place also those of its coordinates. */
export const errorNames = ({ kind, name }: Field) => (kind === 'place' ? [name, 'lat', 'lng'] : [name])

/** Whether two values, or two sets of values, have equal contents. */
export function isSame(one: unknown, other: unknown): boolean {
  const isPlain = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !(value instanceof File)
  if (!isPlain(one) || !isPlain(other)) return one === other
  const theirs = new Map<string, unknown>(Object.entries(other))
  const mine = Object.entries(one)
  return mine.length === theirs.size && mine.every(([key, value]) => isSame(value, theirs.get(key)))
}
