import { getDefaultStore } from 'jotai'
import { mutate, pathTo } from '../api/client.ts'
import type { Row } from '../api/loose.ts'
import { navigate, pathAtom } from '../state/location.ts'
import type { Command, Context } from './command.ts'
import { namedRefOf, rowsOf, refOf } from './command.ts'
import { noteCreated } from './created.ts'
import type { Form } from './form.ts'
import { openForm } from './form.ts'
import { capitalized } from './list.ts'
import { defineChange } from './mutation.ts'
import type { Noun } from './noun.ts'
import { defineNoun, nounOf } from './noun.ts'
import { runMutation } from './run.ts'

type Change = 'create' | 'update' | 'delete' | 'restore'

/** A noun whose records staff create, edit and delete. */
interface Written<T extends object> extends Omit<Noun<T>, 'commands'> {
  calls: Noun['calls'] & { create: string; update: string }
  form: Form<Row<T>>
  /** The noun that a new record is for, and the field of the form that holds it: a promo code is for a customer. */
  createdFor?: { noun: string; field: string }
  /** The success toast of each change and the failure toast of all; no toasts if absent (S8.11). */
  toasts?: Record<Change | 'failed', string>
}

/** Adds the commands create, edit and delete to a noun. Delete is an update and can be undone (S4.7, R7). */
export function writtenNoun<T extends object>(written: Written<T>) {
  const { name, singular, plural, path, calls, form, toasts } = written
  const define = (
    change: Change,
    verb: string,
    doing: string,
    perform: (id: string, args: object) => [string, object],
  ) =>
    defineChange({
      command: `${name}.${change}`,
      label: (ref) => `${verb} ${singular} ${ref.name}`,
      doing,
      affects: [name],
      perform: async ({ id }, args, key) => {
        const [call, body] = perform(id, args)
        const answer = await mutate(call, key, body)
        if (change === 'create' && answer.record) noteCreated(nounOf(name), answer.record)
        return answer
      },
      ...(change === 'delete' && { inverse: `${name}.restore` }),
      ...(change === 'restore' && { inverse: `${name}.delete` }),
      ...(toasts && { succeeded: () => toasts[change], failed: toasts.failed }),
    })
  const update = (id: string) => pathTo(calls.update, id)
  define('create', 'Create', 'Creating', (_id, fields) => [calls.create, fields])
  define('update', 'Edit', 'Editing', (id, fields) => [update(id), fields])
  const removal = define('delete', 'Delete', 'Deleting', (id) => [update(id), { deleted: true }])
  define('restore', 'Restore', 'Restoring', (id) => [update(id), { deleted: false }])

  const rows = (context: Context) => rowsOf<T>(name, context).filter((row) => refOf(written, row).id !== '')
  const named = (context: Context) => {
    const [first, ...others] = rows(context)
    return others.length
      ? `${others.length + 1} ${plural}`
      : `${singular} ${first ? written.nameOf(first) : ''}`.trim()
  }
  const takesOf = ({ noun, field }: { noun: string; field: string }) => ({
    noun,
    title: (owner: string) => `${form.title(null)} for ${owner}`,
    run: (row: Row<object>) => {
      const owner = nounOf(noun)
      openForm(form, null, {
        [field]: {
          id: Number(refOf(owner, row).id),
          name: owner.nameOf(row),
          detail: owner.describe?.(row) ?? '',
        },
      })
    },
  })
  const create: Command = {
    id: `${name}.create`,
    about: form.title(null),
    title: () => form.title(null),
    verbs: ['new', 'create', 'add', 'write', 'ongeza', 'unda'],
    keys: 'n',
    keysWhen: (context) => context.path === path,
    run: () => openForm(form, null),
    ...(written.createdFor && { takes: takesOf(written.createdFor) }),
  }
  const edit: Command = {
    id: `${name}.edit`,
    noun: name,
    about: `Edit the ${singular}`,
    title: (context) => `Edit ${named(context)}`,
    verbs: ['edit', 'change', 'update', 'rename', 'hariri'],
    keys: 'e',
    when: (context) => rows(context).length === 1,
    run: (context) => openForm(form, rows(context)[0] ?? null),
  }
  const remove: Command = {
    id: removal.command,
    noun: name,
    about: `Delete the ${singular}`,
    title: (context) => `Delete ${named(context)}`,
    verbs: ['delete', 'remove', 'futa'],
    isRisky: true,
    keys: 'd d',
    when: (context) => rows(context).length > 0,
    run: async (context) => {
      const refs = rows(context).map((row) => namedRefOf(written, row, written.nameOf(row)))
      const label = refs.length === 1 && refs[0] ? removal.label(refs[0]) : `Delete ${named(context)}`
      const addresses = rows(context).map((row) => written.href?.(row))
      const isDone = await runMutation({ command: removal.command, refs, args: {}, label })
      // The screen of the deleted record, if it is still shown, gives way to the list.
      if (isDone && addresses.includes(getDefaultStore().get(pathAtom))) navigate(path)
    },
  }
  /** For each choice of a field, the form of a new or of an existing record with it chosen. */
  const choices = form.fields(null).flatMap((field) => {
    if (field.kind !== 'select') return []
    return field.options.flatMap((option): Command[] => {
      const suffix = capitalized(`${field.label}-${option}`.toLowerCase().replaceAll(' ', '-'))
      const choice = `${field.label.toLowerCase()} ${option}`
      const word = option.toLowerCase()
      const given = { [field.name]: option }
      const isOther = (row: Row<T>) => form.values(row)[field.name] !== option
      return [
        {
          id: `${create.id}${suffix}`,
          about: `${create.about} of ${choice}`,
          title: () => `${create.about} of ${choice}`,
          synonyms: ['new', 'create', 'add'].map((verb) => `${verb} ${word} ${singular}`),
          run: () => openForm(form, null, given),
        },
        {
          id: `${edit.id}${suffix}`,
          noun: name,
          about: `Edit the ${singular}: ${choice}`,
          title: (context) => `Edit ${named(context)}: ${choice}`,
          verbs: [word, choice.toLowerCase()],
          unfit: `of ${choice} already`,
          when: (context) => rows(context).length === 1 && rows(context).every(isOther),
          run: (context) => openForm(form, rows(context)[0] ?? null, given),
        },
      ]
    })
  })
  return defineNoun({ ...written, commands: [create, edit, remove, ...choices], create, edit, remove })
}
