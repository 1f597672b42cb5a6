import { getDefaultStore } from 'jotai'
import type { Folder } from '../api/storage.ts'
import { prefetchStorage } from '../api/storage.ts'
import { text } from '../format.ts'
import type { FormRecord } from '../state/dialog.ts'
import { dialogAtom } from '../state/dialog.ts'
import type { Draft, Values } from '../state/drafts.ts'
import { discardDraft, draftId, draftsAtom, keepDraft } from '../state/drafts.ts'
import { newId } from '../state/id.ts'
import type { Noun } from './command.ts'
import { busyAtom, runMutation } from './run.ts'
import { noteOf, upload } from './upload.ts'

/** One question of a form. Its name is the wire's, so that the server's `errors` find it. */
export type Field = { name: string; label: string } & (
  | { kind: 'text' | 'textarea' | 'amount' | 'date' | 'customer' | 'place' }
  | { kind: 'select'; options: readonly string[] }
  | ImageField
)

export interface ImageField {
  name: string
  label: string
  kind: 'image'
  folder: Folder
  /** Uploads when picked; otherwise when the form is saved. */
  isEager: boolean
}

/** What a form asks and what becomes of it. Without a record it creates one. */
export interface Form<T extends FormRecord = FormRecord> {
  /** Of the records that it writes; with the record's id it names draft, busy state and fault mark. */
  noun: Noun
  /** The screen that shows these records. */
  path: string
  title(record: T | null): string
  fields(record: T | null): readonly Field[]
  /** What it begins with. */
  values(record: T | null): Values
  /** Whether it can be sent at all. */
  isReady?(values: Values, record: T | null): boolean
  /** What the record is called, for the activity panel. */
  nameOf(values: Values): string
  /** The call; picked files are addresses by now. */
  save(values: Values, record: T | null, key: string): Promise<string>
  /** Words of the button. */
  button: { ready: string; sending: string; uploading?: string }
  /** S4.8, S2.n.5: on success, on any result, or 2 seconds after the message of any result. */
  closes: 'onSuccess' | 'always' | 'afterMessage'
  /** S2.u.3, S2.u.5 */
  closesOnBackdrop: boolean
  /** Toasts; absent is silent (S8.11). */
  succeeded?(record: T | null): string
  failed?: string
}

/** S2.n.5, S9.9: in milliseconds. */
const messagePause = 2000
const store = getDefaultStore()

/** `coupon:5`, `coupon:new`: what is busy meanwhile, and under what its draft is kept. */
export function recordOf({ noun }: Pick<Form, 'noun'>, record: FormRecord | null): string {
  return `${noun}:${record ? text(record.id) : 'new'}`
}

export function openForm<T extends FormRecord>(
  { noun, fields }: Pick<Form<T>, 'noun' | 'fields'>,
  record: T | null,
): void {
  if (fields(record).some(({ kind }) => kind === 'image')) prefetchStorage()
  store.set(dialogAtom, { kind: 'form', form: noun, record })
}

/** Saves what the form holds: its pictures, then its record. Resolves to whether it succeeded. */
export async function saveForm(form: Form, record: FormRecord | null, draft: Draft): Promise<boolean> {
  const name = recordOf(form, record)
  // Sent twice while a picture was being kept.
  if (store.get(busyAtom).has(name)) return false
  const id = draftId(name)
  let sent = draft
  const called = new AbortController()
  const isSaved = await runMutation({
    id: `${form.noun}.${record ? 'update' : 'create'}`,
    record: name,
    label: `${form.title(record)} ${form.nameOf(draft.values)}`.trim(),
    key: draft.key,
    perform: async (key) => {
      for (const field of form.fields(record)) {
        const picked = draft.values[field.name]
        if (field.kind !== 'image' || !(picked instanceof File)) continue
        const url = await uploadInto(id, field, picked, called)
        // Uploaded once is enough, whatever becomes of the rest.
        sent = { ...sent, values: { ...sent.values, [field.name]: url } }
        keepDraft(id, sent)
      }
      return form.save(sent.values, record, key)
    },
    refused: (errors) => {
      if (Object.keys(errors).length > 0) keepDraft(id, { ...sent, errors })
    },
    ...(form.succeeded && { succeeded: () => form.succeeded?.(record) ?? '' }),
    ...(form.failed !== undefined && { failed: form.failed }),
  })
  if (isSaved) discardDraft(id)
  if (!called.signal.aborted) closeAfter(form, name, isSaved)
  return isSaved
}

/**
 * A picture that goes up as soon as it is picked (S2.o.5). Whatever comes of it, the form goes on. Resolves to whether
 * it was uploaded.
 */
export async function uploadPicked(
  form: Form,
  record: FormRecord | null,
  field: ImageField,
  file: File,
): Promise<boolean> {
  const name = recordOf(form, record)
  const id = draftId(name)
  const request = new AbortController()
  let url = ''
  const isUploaded = await runMutation({
    id: `${form.noun}.upload`,
    record: `${name}:${field.name}`,
    label: `Upload ${file.name}`,
    perform: async () => {
      url = await uploadInto(id, field, file, request)
      return ''
    },
  })
  const draft = store.get(draftsAtom).get(id)
  if (draft?.values[field.name] !== file) return false
  // What did not go up stays picked and goes up with the rest; what was called off was not meant.
  if (url) changeDraft(id, draft, field, url)
  else if (request.signal.aborted) changeDraft(id, draft, field, draft.base[field.name])
  return isUploaded
}

/** Resolves to the picture's address; where another picture would help, its draft says so. */
async function uploadInto(
  id: string,
  field: ImageField,
  file: File,
  request: AbortController,
): Promise<string> {
  try {
    return await upload(id, field.folder, file, request)
  } catch (error) {
    const [note, draft] = [noteOf(error, file), store.get(draftsAtom).get(id)]
    if (note && draft) keepDraft(id, { ...draft, errors: { ...draft.errors, [field.name]: [note] } })
    throw error
  }
}

/** Keeps a changed answer under a new key: other contents are another intent. Back at its beginning it is no draft. */
export function changeDraft(id: string, draft: Draft, field: Field, value: unknown): void {
  const values = { ...draft.values, [field.name]: value }
  const answered = errorNames(field)
  const errors = Object.fromEntries(Object.entries(draft.errors).filter(([name]) => !answered.includes(name)))
  if (isSame(values, draft.base)) discardDraft(id)
  else keepDraft(id, { ...draft, values, errors, key: newId() })
}

/** Under what the server names the field; a place's coordinates it names on their own. */
export const errorNames = ({ kind, name }: Field) => (kind === 'place' ? [name, 'lat', 'lng'] : [name])

/** Whether two answers, or all of them, say the same. */
export function isSame(one: unknown, other: unknown): boolean {
  const isPlain = (value: unknown): value is object =>
    typeof value === 'object' && value !== null && !(value instanceof File)
  if (!isPlain(one) || !isPlain(other)) return one === other
  const theirs = new Map<string, unknown>(Object.entries(other))
  const mine = Object.entries(one)
  return mine.length === theirs.size && mine.every(([key, value]) => isSame(value, theirs.get(key)))
}

function closeAfter(form: Form, name: string, isSaved: boolean): void {
  const shown = store.get(dialogAtom)
  if (shown?.kind !== 'form' || shown.form !== form.noun || recordOf(form, shown.record) !== name) return
  // Only what is open now: another form may be by then.
  const close = () => {
    if (store.get(dialogAtom) === shown) store.set(dialogAtom, null)
  }
  if (form.closes === 'afterMessage') setTimeout(close, messagePause)
  else if (isSaved || form.closes === 'always') close()
}
