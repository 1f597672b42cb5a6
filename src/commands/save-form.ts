import { getDefaultStore } from 'jotai'
import { lostKeys } from '../api/client.ts'
import { capabilitiesAtom } from '../api/config.ts'
import { isRow } from '../api/loose.ts'
import { dialogAtom } from '../state/dialog.ts'
import type { Draft } from '../state/drafts.ts'
import { discardDraft, draftId, draftsAtom, keepDraft, keepFile } from '../state/drafts.ts'
import { newId } from '../state/id.ts'
import type { Ref } from '../state/ref.ts'
import { refKey } from '../state/ref.ts'
import { fieldErrorsOf } from './field-errors.ts'
import type { Form, ImageField } from './form.ts'
import { changeDraft, formRef, isSame } from './form.ts'
import { rereadRecord } from './latest-record.ts'
import type { Mutation } from './mutation.ts'
import { isKnown } from './mutation.ts'
import { busyAtom, runMutation, runTask } from './run.ts'
import { say } from './status.ts'
import { noteOf, upload } from './upload.ts'

/** S2.n.5, S9.9: in milliseconds. */
const messagePause = 2000
/** The server keeps the answer of a key for a day; an hour less, for clocks that differ. */
const keyLifetime = 23 * 3_600_000
const store = getDefaultStore()

/** Closes the dialog after the pause that follows a result. */
let closing: ReturnType<typeof setTimeout> | undefined

/** After a result, the form does not close by itself any more: somebody types into it, or it is sent again. */
export const keepOpen = (): void => clearTimeout(closing)

/**
 * Saves a form: uploads its pictures, then sends its record. Resolves to whether it succeeded. What the server finds wrong
 * with the fields is stored in the draft, and given to `refused` too, as an untouched form has no draft. If the draft is
 * changed or discarded meanwhile, in another tab for example, it is left as it is.
 */
export async function saveForm(
  form: Form,
  record: object | null,
  draft: Draft,
  refused: (errors: Draft['errors']) => void,
): Promise<boolean> {
  const ref = formRef(form, record)
  // The form was sent twice while a picture was being stored. The first call saves it.
  if (store.get(busyAtom).has(refKey(ref))) return false
  keepOpen()
  const id = draftId(ref)
  let kept = draft
  const isStored = () => {
    const stored = store.get(draftsAtom).get(id)
    return stored ? stored.key === kept.key : isSame(kept.values, kept.base)
  }
  const keep = (change: Partial<Draft>) => {
    const isCurrent = isStored()
    kept = { ...kept, ...change }
    if (isCurrent) keepDraft(id, kept)
  }
  const discard = () => {
    if (isStored()) discardDraft(id)
  }
  // Also after a reload of the page.
  if (draft.sent) lostKeys.add(draft.sent.key)
  if (isAfterLostCreate(form, draft)) {
    const { isMade, isRefused, record: created } = await repeatCreate(form, draft.sent)
    if (created) editInstead(form, created, draft, draft.sent.created.name)
    else if (isMade || isRefused) keep({ sent: undefined })
    else closeAfter(form, ref, false)
    if (isMade && !created) say(createdBefore(draft.sent.created.name))
    if (!isRefused) return false
  }
  const uploads = new AbortController()
  const name = form.nameOf(draft.values)
  const isSaved = await runMutation(mutationOf(form, record, { name, key: draft.key }), {
    prepare: async () => {
      for (const field of form.fields(record)) {
        const picked = draft.values[field.name]
        if (field.kind !== 'image' || !(picked instanceof File)) continue
        const url = await uploadInto(id, field, picked, uploads)
        // The address is stored in the draft, so that a retry does not upload the picture again.
        keep({ values: { ...kept.values, [field.name]: url } })
      }
      const { key, sent } = kept
      // After a lost answer the record can have a new version, but the server refuses the same key with another body.
      const { version } = sent?.key === key ? sent : isRow<{ version: unknown }>(record) ? record : {}
      const fields = { ...form.fieldsOf(kept.values, record), version }
      keep({ sent: { key, version, created: record ? undefined : { name, fields, at: Date.now() } } })
      return fields
    },
    refused: (error, mayBeStored) => {
      const errors = fieldErrorsOf(error)
      const hasErrors = Object.keys(errors).length > 0
      if (hasErrors) keep({ errors })
      // The server has stored nothing under the key.
      if (!mayBeStored) {
        keep({ key: newId(), sent: undefined })
        if (isSame(kept.values, kept.base)) discard()
      }
      if (hasErrors) refused(errors)
    },
  })
  if (isSaved) {
    discard()
    // Somebody has changed it meanwhile, in another tab: it is for another record now.
    const left = store.get(draftsAtom).get(id)
    if (left?.sent) keepDraft(id, { ...left, sent: undefined })
  } else if (record) rereadRecord(ref)
  if (!uploads.signal.aborted) closeAfter(form, ref, isSaved)
  return isSaved
}

type Sent = NonNullable<Draft['sent']>
type SentCreate = Sent & { created: NonNullable<Sent['created']> }

/**
 * Whether a create got no answer, and its form was changed since. Sent as it is now, it could make a second record. Only a server that
 * knows keys tells whether it has the first one, without making it twice.
 */
function isAfterLostCreate(form: Form, draft: Draft): draft is Draft & { sent: SentCreate } {
  const { key, created } = draft.sent ?? {}
  const isRecent = created !== undefined && Date.now() - created.at < keyLifetime
  return (
    isRecent && key !== draft.key && isKnown(`${form.noun}.update`) && store.get(capabilitiesAtom).idempotency
  )
}

interface Repeated {
  isMade: boolean
  /** The server has stored nothing. Neither this nor `isMade`: nobody knows yet. */
  isRefused: boolean
  /** What the create has made, if the server answers with it. */
  record: object | null
}

/** Sends a create once more as it was. */
async function repeatCreate(form: Form, { key, created: { name, fields } }: SentCreate): Promise<Repeated> {
  const repeated: Repeated = { isMade: false, isRefused: false, record: null }
  repeated.isMade = await runMutation(mutationOf(form, null, { name, key, args: fields }), {
    refused: (_error, mayBeStored) => {
      repeated.isRefused = !mayBeStored
    },
    stored: (record) => {
      repeated.record = record
    },
  })
  return repeated
}

const mutationOf = (
  form: Form,
  record: object | null,
  { name, key, args = {} }: { name: string; key: string; args?: Mutation['args'] },
): Mutation => ({
  command: `${form.noun}.${record ? 'update' : 'create'}`,
  refs: [{ ...formRef(form, record), name }],
  args,
  key,
  label: `${form.title(record)} ${name}`.trim(),
})

const createdBefore = (name: string) => `The first attempt has created ${name}.`

/** The draft of a new record becomes one of the record that was made of its earlier values, and so does the form that is open. */
function editInstead(form: Form, record: object, draft: Draft, name: string): void {
  const id = draftId(formRef(form, null))
  const edited = draftId(formRef(form, record))
  const { values } = store.get(draftsAtom).get(id) ?? draft
  const base = form.values(record)
  const typed = Object.fromEntries(Object.keys(base).map((field) => [field, values[field]]))
  discardDraft(id)
  keepDraft(edited, { values: typed, base, key: newId(), errors: {} })
  for (const [field, value] of Object.entries(typed))
    if (value instanceof File) void keepFile(edited, field, value)
  const shown = store.get(dialogAtom)
  if (shown?.kind === 'form' && shown.noun === form.noun && !shown.record)
    store.set(dialogAtom, { ...shown, record })
  say(`${createdBefore(name)} Send again to change it.`)
}

/**
 * Uploads a picture as soon as it is picked (S2.o.5). The form stays editable after a failure. After Cancel the field has
 * the value that the file has replaced, or that of the stored record if it is not known. Resolves to whether it was uploaded.
 */
export async function uploadPicked(
  form: Form,
  record: object | null,
  field: ImageField,
  file: File,
  replaced: unknown,
): Promise<boolean> {
  const ref = formRef(form, record)
  const id = draftId(ref)
  const request = new AbortController()
  let url = ''
  const isUploaded = await runTask(`${refKey(ref)}:${field.name}`, {
    label: `Upload ${file.name}`,
    perform: async () => {
      url = await uploadInto(id, field, file, request)
      return ''
    },
  })
  const draft = store.get(draftsAtom).get(id)
  if (draft?.values[field.name] !== file) return false
  // After a failure the file stays picked and is uploaded on save.
  if (url) changeDraft(id, draft, field, url)
  else if (request.signal.aborted) changeDraft(id, draft, field, replaced ?? draft.base[field.name])
  return isUploaded
}

/** Resolves to the picture's address. If only another picture can succeed, the field gets an error text. */
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

function closeAfter(form: Form, ref: Ref, isSaved: boolean): void {
  const shown = store.get(dialogAtom)
  if (shown?.kind !== 'form' || refKey(formRef({ noun: shown.noun }, shown.record)) !== refKey(ref)) return
  const draftOfForm = () => store.get(draftsAtom).get(draftId(ref))
  const draft = draftOfForm()
  // Closes only the dialog that is open now: after the pause another one may be open. After a failure the person may
  // have gone on with the draft.
  const close = () => {
    if (store.get(dialogAtom) === shown && (isSaved || draftOfForm() === draft)) store.set(dialogAtom, null)
  }
  if (form.closes === 'afterMessage') closing = setTimeout(close, messagePause)
  else if (isSaved || form.closes === 'always') close()
}
