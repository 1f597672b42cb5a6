import { useAtomValue, useStore } from 'jotai'
import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import type { ClipboardEvent, DragEvent, SubmitEvent } from 'react'
import { useEffect, useId, useRef, useState } from 'react'
import { isRow } from '../../api/loose.ts'
import { placeOf } from '../../api/place.ts'
import type { Field, Form, ImageField } from '../../commands/form.ts'
import { changeDraft, errorNames, formRef, isSame } from '../../commands/form.ts'
import { formOf } from '../../commands/forms.ts'
import { busyAtom } from '../../commands/run.ts'
import { keepOpen, saveForm, uploadPicked } from '../../commands/save-form.ts'
import { uploadsAtom } from '../../commands/upload.ts'
import { coordinate, numberOf, text } from '../../format.ts'
import { closeDialog, returnFocus } from '../../state/dialog.ts'
import type { Draft } from '../../state/drafts.ts'
import { discardDraft, draftId, draftsAtom, keepDraft, keepFile } from '../../state/drafts.ts'
import { newId } from '../../state/id.ts'
import { refKey } from '../../state/ref.ts'
import styles from './form-dialog.module.css'
import { FormField } from './form-field.tsx'
import { useLatestRecord } from './use-latest-record.ts'
import { useDialog } from '../ui/use-dialog.ts'

/** The dialog of all forms. Escape keeps the draft; the backdrop closes only some forms (S2.u.3, S2.u.5). */
export function FormDialog() {
  const opened = useDialog('form')
  const form = opened ? formOf(opened.noun) : undefined
  const record = isRow<object>(opened?.record) ? opened.record : null
  const key = form && refKey(formRef(form, record))
  const content = useRef<HTMLDivElement>(null)
  const before = useRef(key)
  useEffect(() => {
    // The form of a new record became that of an existing one, and what had the focus is gone.
    if (before.current && key && before.current !== key) focusFirst(content.current)
    before.current = key
  }, [key])
  return (
    <Dialog.Root open={form !== undefined} onOpenChange={(open) => !open && closeDialog()}>
      <Dialog.Portal>
        {/* A sibling of the dialog, not its parent, so that it gets only clicks that were pressed and released on it. */}
        <Dialog.Overlay
          className={styles.overlay}
          onClick={() => form?.closesOnBackdrop && closeDialog()}
          {...dropGuard}
        />
        <Dialog.Content
          ref={content}
          className={styles.content}
          {...dropGuard}
          aria-describedby={undefined}
          onInteractOutside={(event) => event.preventDefault()}
          onEscapeKeyDown={(event) => {
            // While suggestions are open, Escape closes only them.
            if (document.activeElement?.matches('[role=combobox][aria-expanded=true]')) event.preventDefault()
          }}
          onOpenAutoFocus={(event) => {
            event.preventDefault()
            focusFirst(event.target)
          }}
          onCloseAutoFocus={returnFocus}
        >
          {form && <FormBody key={key} form={form} opened={record} />}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** Stops the browser from leaving the console to open a file that is dropped outside the form. */
const dropGuard = {
  onDragOver: (event: DragEvent) => event.preventDefault(),
  onDrop: (event: DragEvent) => {
    if (event.dataTransfer.files.length > 0) event.preventDefault()
  },
}

/** Whether text is pasted into a text field. Office programs copy a picture of it too, and the Finder the name of a file. */
function isOfText({ target, clipboardData }: ClipboardEvent, file: File): boolean {
  const copied = clipboardData.getData('text')
  return (
    copied !== '' &&
    copied !== file.name &&
    target instanceof Element &&
    target.matches('textarea,[type=text]')
  )
}

const isArea = (target: EventTarget) => target instanceof HTMLTextAreaElement

function FormBody({ form, opened }: { form: Form; opened: object | null }) {
  const ref = formRef(form, opened)
  const record = useLatestRecord(ref, opened)
  const id = draftId(ref)
  const draft = useAtomValue(draftsAtom).get(id)
  const busy = useAtomValue(busyAtom).has(refKey(ref))
  const upload = useAtomValue(uploadsAtom).get(id)
  const [saved, setSaved] = useState<Draft | null>(null)
  const [note, setNote] = useState('')
  const [errors, setErrors] = useState<Draft['errors']>({})
  /** How often the server has found errors. */
  const [refusals, setRefusals] = useState(0)
  const keeping = useRef<Promise<void>>(undefined)
  /** The address, or blank, that the picked file has replaced. */
  const replaced = useRef<unknown>(undefined)
  const store = useStore()
  const element = useRef<HTMLFormElement>(null)
  /** Whether it was sent and refused, and nothing was typed since. */
  const isRefused = useRef(false)
  /** Whether no key was pressed here yet: the one that opened the form may still be held. */
  const isUntyped = useRef(true)
  const idPrefix = useId()

  const stored = form.values(record)
  const untouched = { values: stored, base: stored, key: '', errors }
  /** The current draft, not that of this render: after an `await` more may have been typed. */
  const latest = () => store.get(draftsAtom).get(id) ?? { ...untouched, key: newId() }
  const fields = form.fields(record)
  const draftShown = saved ?? draft ?? untouched
  const shown = record ? withTheirs(fields, draftShown, stored) : draftShown
  const marks = new Map(
    record ? fields.map((field) => [field, changedMeanwhile(field, draftShown, shown.values, stored)]) : [],
  )
  const isOvertaken = [...marks.values()].some((mark) => mark.length > 0)
  const missing = form.missing?.(shown.values, record) ?? ''
  const imageField = fields.find((field) => field.kind === 'image')
  const picked = imageField && shown.values[imageField.name]
  const isLocked = busy || saved !== null

  const change = (field: Field, value: unknown) => {
    // The coordinates of a chosen place arrive late; `latest()` keeps text typed in the meantime.
    if (!isLocked) changeDraft(id, latest(), field, value)
    if (field === imageField) setNote('')
  }
  /** Takes a file that was picked, dropped or pasted. */
  const take = (file: File) => {
    if (!imageField || isLocked || upload) return
    const isImage = file.type.startsWith('image/')
    setNote(isImage ? `Keeping ${file.name}…` : `${file.name} is no image`)
    if (isImage) keeping.current = takeImage(imageField, file)
  }
  const takeImage = async (field: ImageField, file: File) => {
    await keepFile(id, field.name, file)
    setNote('')
    const draft = latest()
    const earlier = draft.values[field.name]
    if (!(earlier instanceof File)) replaced.current = earlier
    changeDraft(id, draft, field, file)
    if (field.isEager) await uploadNow(field, file)
  }
  const uploadNow = async (field: ImageField, file: File) => {
    const isUploaded = await uploadPicked(form, record, field, file, replaced.current)
    setNote(isUploaded ? `${file.name} is uploaded` : '')
  }
  const retry =
    imageField?.isEager && picked instanceof File && !isLocked && !upload
      ? () => void uploadNow(imageField, picked)
      : undefined
  const showErrors = (errors: Draft['errors']) => {
    // A draft has its own.
    if (!store.get(draftsAtom).has(id)) setErrors(errors)
    setRefusals((count) => count + 1)
  }
  const focusInvalid = () => element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  useEffect(() => {
    if (refusals > 0) focusInvalid()
  }, [refusals])
  useEffect(() => {
    if (isOvertaken && isRefused.current) focusInvalid()
  }, [isOvertaken])
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isLocked || upload || missing) return
    if (keeping.current) await keeping.current
    const typed = latest()
    const merged = record ? withTheirs(fields, typed, stored) : typed
    const draft = merged === typed ? typed : { ...merged, key: newId() }
    if (draft !== typed) keepDraft(id, draft)
    isRefused.current = false
    if (await saveForm(form, record, draft, showErrors)) setSaved(draft)
    else isRefused.current = true
  }

  const { ready, sending, uploading } = form.button
  return (
    <>
      <header className={styles.header}>
        <Dialog.Title>{form.title(opened)}</Dialog.Title>
        <Dialog.Close className={styles.close} aria-label="Close">
          <X size={18} aria-hidden />
        </Dialog.Close>
      </header>
      <form
        ref={element}
        className={styles.form}
        aria-busy={busy}
        onSubmit={(event) => void submit(event)}
        onInput={() => {
          isRefused.current = false
          keepOpen()
        }}
        onKeyDown={(event) => {
          const { key, repeat, target } = event
          if (!repeat) isUntyped.current = false
          // On Windows AltGr is Ctrl with Alt, and is often still held after a character.
          const isMod = (event.ctrlKey || event.metaKey) && !event.altKey
          // Held: it would send the form again and again.
          const sends = key === 'Enter' && (isMod || !isArea(target))
          if (repeat && (sends || isUntyped.current)) event.preventDefault()
          else if (sends && isMod) element.current?.requestSubmit()
        }}
        onPaste={(event) => {
          const [file] = event.clipboardData.files
          if (!file || !imageField || isOfText(event, file)) return
          event.preventDefault()
          take(file)
        }}
        onDrop={(event) => {
          const [file] = event.dataTransfer.files
          if (file) take(file)
        }}
      >
        <div className={styles.fields}>
          {fields.map((field) => (
            <FormField
              key={field.name}
              id={`${idPrefix}${field.name}`}
              field={field}
              value={shown.values[field.name]}
              stored={stored[field.name]}
              faults={[...faultsOf(field, shown.errors), ...(marks.get(field) ?? [])]}
              isLocked={isLocked}
              change={(value) => change(field, value)}
              image={{ isLocked: isLocked || upload !== undefined, take, note, upload, retry }}
            />
          ))}
        </div>
        <footer className={styles.footer} data-hidden={upload !== undefined && uploading === undefined}>
          {draft && !busy && (
            <button
              type="button"
              className={styles.discard}
              onClick={() => {
                discardDraft(id)
                emptyIncomplete(element.current)
                setNote('')
                setErrors({})
                focusFirst(element.current)
              }}
            >
              Discard draft
            </button>
          )}
          {missing && (
            <span id={`${idPrefix}missing`} className={styles.missing}>
              {missing}
            </span>
          )}
          <button
            type="submit"
            data-kind="primary"
            disabled={missing !== ''}
            title={missing}
            aria-describedby={missing ? `${idPrefix}missing` : undefined}
            aria-disabled={busy}
          >
            {busy ? ((upload && uploading) ?? sending) : ready}
          </button>
        </footer>
      </form>
    </>
  )
}

function faultsOf(field: Field, errors: Draft['errors']): string[] {
  return errorNames(field).flatMap((name) => errors[name] ?? [])
}

/**
 * A draft with what somebody else has saved since, in the fields that the person has not changed. One that was sent and got no answer
 * stays as it is, as its retry must be the same.
 */
function withTheirs(fields: readonly Field[], draft: Draft, stored: Draft['values']): Draft {
  if (draft.sent?.key === draft.key) return draft
  const theirs = fields.filter((field) => {
    const { isMine, isTheirs } = changesOf(field, draft, stored)
    return isTheirs && !isMine
  })
  if (theirs.length === 0) return draft
  const taken = Object.fromEntries(theirs.map(({ name }) => [name, stored[name]]))
  return {
    ...draft,
    values: { ...draft.values, ...taken },
    base: { ...draft.base, ...taken },
  }
}

/** Marks a field that somebody else saved after the draft was started: with their value, if the form shows another one. */
function changedMeanwhile(
  field: Field,
  draft: Draft,
  shown: Draft['values'],
  stored: Draft['values'],
): string[] {
  if (!changesOf(field, draft, stored).isTheirs) return []
  const [theirs, here] = [stored[field.name], shown[field.name]]
  return [['Changed meanwhile', isSame(theirs, here) ? '' : text(theirs)].filter(Boolean).join(': ')]
}

/** Whether the person, and whether somebody else, has another value in a field than the draft began with. */
function changesOf(field: Field, { values, base }: Draft, stored: Draft['values']) {
  const [theirs, before, mine] = [stored, base, values].map((all) => asStored(field, all[field.name]))
  const isMine = !isSame(mine, before)
  return { isMine, isTheirs: !isSame(theirs, before) && !(isMine && isSame(theirs, mine)) }
}

/** What a server keeps of a value: `10.50` comes back as 10.5, and a place with six decimals and without its address. */
function asStored({ kind }: Field, value: unknown): unknown {
  if (kind === 'amount') return numberOf(value)
  const place = kind === 'place' ? placeOf(value) : null
  return place ? [place.placeName, coordinate(place.lat), coordinate(place.lng)] : value
}

/** Empties fields with an incomplete date or number: their value is blank already, so React leaves the typed text. */
function emptyIncomplete(form: HTMLFormElement | null): void {
  for (const input of form?.querySelectorAll('input') ?? []) if (input.validity.badInput) input.value = ''
}

/** Focuses the first field, not the close control. */
function focusFirst(within: EventTarget | null): void {
  if (!(within instanceof HTMLElement)) return
  within.querySelector<HTMLElement>('input,textarea,select')?.focus()
}
