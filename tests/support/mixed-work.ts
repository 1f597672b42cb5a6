import type { Engine } from '../../server/db/engine.ts'
import type { Database } from '../../server/db/schema.ts'
import { buildDriver, buildInvoice, buildSos } from './factories.ts'
import { repeats } from './soak.ts'
import { kinds } from './written-kinds.ts'

/** Every kind of change that takes an Idempotency-Key, as endless series of which each change follows from its number. */

/** The changes of one noun. */
export interface Work {
  noun: string
  table: keyof Database
  /** The call that shows the records. */
  list: string
  /** How many records of a series exist before its first change; 0 if its changes create them. */
  records: number
  build: (engine: Engine, id: number) => Promise<unknown>
  /** A text that says in SQL in which state a row is, and the state of the records that exist before. */
  state: string
  initial: string
  /** The change with this number of the series `name`, whose (last) record has this id. */
  change: (name: string, nth: number, id: number) => Change
}

interface Change {
  path: string
  body?: object
  /** A text of the reply. */
  reply: string
  /** The command in the audit; null if nothing changes. */
  command: string | null
  /** Which record of the series it changes, from 0 on, and the state of that record afterwards. */
  record: number
  state: string
  /** A text that the list has afterwards, or has not. */
  shown: { text: string; is: boolean }
}

const oms = '/api/v1/oms'
/** More are cleared in no run of the tests with crashes. Then the first ones are cleared again, which changes nothing. */
const invoices = repeats(20, 200)

const drivers: Work = {
  noun: 'driver',
  table: 'drivers',
  list: `${oms}/drivers/`,
  records: 1,
  build: (engine, id) => buildDriver(engine, { id, online: 1 }),
  state: 'cast(deleted as text)',
  initial: '0',
  change: (_name, nth, id) => {
    const isSuspended = nth % 2 === 0
    return {
      path: `${oms}/driver/${id}/${isSuspended ? 'suspend' : 'unfreeze'}/`,
      reply: isSuspended ? 'has been suspended' : 'has been unsuspended',
      command: isSuspended ? 'driver.suspend' : 'driver.unsuspend',
      record: 0,
      state: isSuspended ? '1' : '0',
      shown: { text: `"deleted":${String(isSuspended)}`, is: true },
    }
  },
}

const clearing: Work = {
  noun: 'invoice',
  table: 'invoices',
  list: `${oms}/all-invoices/`,
  records: invoices,
  build: (engine, id) => buildInvoice(engine, { id, driver_id: 1 }),
  state: 'cast(paid as text)',
  initial: '0',
  change: (_name, nth, id) => ({
    path: `${oms}/invoice/update/`,
    body: { invoice_id: id + (nth % invoices) },
    reply: 'has been cleared',
    command: nth < invoices ? 'invoice.clear' : null,
    record: nth % invoices,
    state: '1',
    shown: { text: '"paid":true', is: true },
  }),
}

const acknowledging: Work = {
  noun: 'sos',
  table: 'sos_logs',
  list: `${oms}/sos-lists/`,
  records: 1,
  build: (engine, id) => buildSos(engine, { id }),
  state: `case when handled_at is null then 'new' else 'handled' end`,
  initial: 'new',
  change: (_name, nth, id) => {
    const isHandled = nth % 2 === 0
    return {
      path: `${oms}/sos/${id}/${isHandled ? 'acknowledge' : 'reopen'}/`,
      reply: isHandled ? 'was acknowledged by' : 'is new again',
      command: isHandled ? 'sos.acknowledge' : 'sos.reopen',
      record: 0,
      state: isHandled ? 'handled' : 'new',
      shown: { text: '"handled_at":null', is: !isHandled },
    }
  },
}

interface Written {
  noun: string
  table: keyof Database
  list: string
  create: string
  update: (id: number) => string
  body: object
  /** The field with the text of a record. */
  label: string
  /** The body of the changes with text, besides the text. */
  edit?: object
  /** How many changes a record gets before the next one is created. */
  changes: number
}

/** Creating, editing, deleting and restoring. */
const writing = ({ noun, table, list, create, update, body, label, edit, changes }: Written): Work => ({
  noun,
  table,
  list,
  records: 0,
  build: () => Promise.resolve(),
  state: `${label} || ' ' || deleted`,
  initial: '',
  change: (name, nth, id) => {
    const step = nth % changes
    const verb =
      step === 0 ? 'create' : ((['update', 'delete', 'restore'] as const)[(step - 1) % 3] ?? 'update')
    const isText = verb === 'create' || verb === 'update'
    const text = `${name} ${verb === 'delete' ? nth - 1 : verb === 'restore' ? nth - 2 : nth}`
    const isDeleted = verb === 'delete'
    const sent = {
      create: { ...body, [label]: text },
      update: { ...edit, [label]: text, version: step },
      delete: { deleted: true },
      restore: { deleted: false, version: step },
    }
    return {
      path: verb === 'create' ? create : update(id),
      body: sent[verb],
      reply: isText ? `"${text}"` : `"deleted":${String(isDeleted)}`,
      command: `${noun}.${verb}`,
      record: (nth - step) / changes,
      state: `${text} ${isDeleted ? 1 : 0}`,
      shown: { text: `"${text}"`, is: !isDeleted },
    }
  },
})

export const works: Work[] = [
  drivers,
  clearing,
  acknowledging,
  ...kinds.map((kind) => writing({ ...kind, label: kind.searched, changes: 4 })),
  // One view of each series: somebody can have at most 200.
  writing({
    noun: 'view',
    table: 'views',
    list: `${oms}/views/`,
    create: `${oms}/views/create/`,
    update: (id) => `${oms}/views/${id}/update/`,
    body: { list: 'drivers', query: '' },
    label: 'name',
    edit: { position: 1 },
    changes: Infinity,
  }),
]
