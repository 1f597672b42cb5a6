import { text } from '../format.ts'
import type { Command, Context, Records } from './command.ts'
import type { Form } from './form.ts'
import { openForm, recordOf } from './form.ts'
import type { Mutation } from './run.ts'
import { runAll } from './run.ts'

/** The records that staff write. */
type WrittenNoun = 'attraction' | 'blog' | 'coupon' | 'promo'

interface Written<N extends WrittenNoun> {
  form: Form<Records[N]> & { noun: N }
  /** "promo code" */
  what: string
  nameOf: (record: Records[N]) => string
  update: (id: string, change: unknown, key: string) => Promise<string>
  /** Toasts; absent is silent (S8.11). */
  toasts?: { deleted: string; restored: string; failed: string }
  /** After deleting what is on screen. */
  deleted?(context: Context): void
}

/** Create, edit and delete, which is an update that can be taken back (S4.7, R7). */
export function writtenCommands<N extends WrittenNoun>(written: Written<N>) {
  const { form, what, nameOf } = written
  const { noun, path } = form
  const records = ({ targets }: Context) => targets[noun]?.filter(({ id }) => text(id) !== '') ?? []
  const named = (context: Context) => {
    const [first, ...rest] = records(context)
    return rest.length ? `${rest.length + 1} ${what}s` : `${what} ${first ? nameOf(first) : ''}`.trim()
  }

  const create: Command = {
    id: `${noun}.create`,
    about: form.title(null),
    title: () => form.title(null),
    keywords: 'new add write',
    keys: 'n',
    when: (context) => context.path === path,
    run: () => openForm(form, null),
  }
  const edit: Command = {
    id: `${noun}.edit`,
    noun,
    about: `Edit the ${what}`,
    title: (context) => `Edit ${named(context)}`,
    keywords: 'change update rename',
    keys: 'e',
    when: (context) => records(context).length === 1,
    run: (context) => openForm(form, records(context)[0] ?? null),
  }
  const remove: Command = {
    id: `${noun}.delete`,
    noun,
    about: `Delete the ${what}`,
    title: (context) => `Delete ${named(context)}`,
    keywords: 'remove',
    keys: 'd d',
    when: (context) => records(context).length > 0,
    run: async (context) => {
      const mutations = records(context).map((record) => setDeleted(written, record, true))
      if (await runAll(mutations, `Delete ${named(context)}`)) written.deleted?.(context)
    },
  }
  return { create, edit, remove }
}

function setDeleted<N extends WrittenNoun>(
  written: Written<N>,
  record: Records[N],
  deleted: boolean,
): Mutation {
  const { form, what, nameOf, update, toasts } = written
  return {
    id: `${form.noun}.${deleted ? 'delete' : 'restore'}`,
    record: recordOf(form, record),
    label: `${deleted ? 'Delete' : 'Restore'} ${what} ${nameOf(record)}`,
    perform: (key) => update(text(record.id), { deleted }, key),
    ...(toasts && {
      succeeded: () => (deleted ? toasts.deleted : toasts.restored),
      failed: toasts.failed,
    }),
    undo: () => setDeleted(written, record, !deleted),
  }
}
