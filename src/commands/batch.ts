import { atom, getDefaultStore } from 'jotai'
import { newId } from '../state/id.ts'
import type { Command } from './command.ts'

/** A mutation of many records that is under way. */
interface Batch {
  id: string
  /** "Suspending" */
  doing: string
  /** Records that it has finished, failed ones included. */
  done: number
  total: number
  state: 'running' | 'paused' | 'cancelled'
  /** It is paused, and the record that was under way is finished. */
  isWaiting: boolean
  pause: () => void
  resume: () => void
  cancel: () => void
}

/** Up to this many records are changed without showing progress. */
const few = 3
const store = getDefaultStore()
const runningAtom = atom<readonly Batch[]>([])

/** The batches under way, the oldest first. */
export const batchesAtom = atom((get) => get(runningAtom))

/**
 * Goes through the items in order. Of more than three it shows the progress, and a person can pause and cancel it: the
 * item under way is finished, and then it waits, or leaves out the others. `paused` is called when a wait begins.
 */
export async function inBatch<T>(
  doing: string,
  items: readonly T[],
  each: (item: T) => Promise<boolean>,
  paused: () => void,
): Promise<void> {
  const batch = items.length > few ? begin(doing, items.length) : null
  try {
    for (const item of items) {
      if (batch && !(await batch.mayGoOn(paused))) break
      if (!(await each(item))) break
      batch?.count()
    }
  } finally {
    batch?.end()
  }
}

/** Cancels all batches and shows none of them any more, when the session ends. */
export function cancelBatches(): void {
  for (const { cancel } of store.get(runningAtom)) cancel()
  store.set(runningAtom, [])
}

function begin(doing: string, total: number) {
  const id = newId()
  let gate: Promise<unknown> = Promise.resolve()
  let open: () => void = () => undefined
  const own = () => store.get(runningAtom).find((one) => one.id === id)
  const change = (part: Partial<Batch>) =>
    store.set(
      runningAtom,
      store.get(runningAtom).map((one) => (one.id === id ? { ...one, ...part } : one)),
    )
  const batch: Batch = {
    id,
    doing,
    done: 0,
    total,
    state: 'running',
    isWaiting: false,
    pause: () => {
      if (own()?.state !== 'running') return
      const { promise, resolve } = Promise.withResolvers<unknown>()
      gate = promise
      open = () => resolve(null)
      change({ state: 'paused' })
    },
    resume: () => {
      if (own()?.state === 'paused') change({ state: 'running' })
      open()
    },
    cancel: () => {
      change({ state: 'cancelled' })
      open()
    },
  }
  store.set(runningAtom, [...store.get(runningAtom), batch])
  return {
    mayGoOn: async (paused: () => void) => {
      if (own()?.state === 'paused') {
        change({ isWaiting: true })
        paused()
      }
      // Again after a wait: it can be paused a second time before this continues.
      while (own()?.state === 'paused') await gate
      change({ isWaiting: false })
      return own()?.state === 'running'
    },
    count: () => change({ done: (own()?.done ?? 0) + 1 }),
    end: () =>
      store.set(
        runningAtom,
        store.get(runningAtom).filter((one) => one.id !== id),
      ),
  }
}

/** The latest batch in one of these states. */
const latest = (...states: Batch['state'][]) =>
  store.get(runningAtom).findLast(({ state }) => states.includes(state))

/** Its key pauses, and pressed again it resumes. */
export const pauseOrResume: Command = {
  id: 'batch.pause',
  about: 'Pause or resume the action on the selected rows',
  title: () => {
    const batch = latest('running', 'paused')
    const word = batch?.state === 'paused' ? 'Resume' : 'Pause'
    return batch ? `${word} ${batch.doing.toLowerCase()} ${batch.total}` : word
  },
  keywords: 'batch bulk stop wait continue progress',
  keys: 'p',
  when: () => latest('running', 'paused') !== undefined,
  run: () => {
    const batch = latest('running', 'paused')
    if (batch?.state === 'paused') batch.resume()
    else batch?.pause()
  },
}

export const cancelBatch: Command = {
  id: 'batch.cancel',
  about: 'Cancel the action on the selected rows',
  title: () => {
    const batch = latest('running', 'paused')
    return batch ? `Cancel ${batch.doing.toLowerCase()} ${batch.total}` : 'Cancel'
  },
  keywords: 'batch bulk stop abort',
  keys: 'shift+p',
  when: () => latest('running', 'paused') !== undefined,
  run: () => latest('running', 'paused')?.cancel(),
}

/** Offered while a batch is under way, on every screen. */
export const batchCommands: readonly Command[] = [pauseOrResume, cancelBatch]
