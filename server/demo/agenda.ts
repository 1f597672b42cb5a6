/** Events in order of time. `next` is the time of the next one, `Infinity` after the last; `run` handles it. */
export interface Source {
  next: number
  run(): void
}

/** Many tasks can share one function, which then gets what differs between them: an id and an amount. */
type Task = (time: number, id: number, amount: number) => void

export interface Agenda extends Source {
  at(time: number, task: Task, id?: number, amount?: number): void
}

/** A queue of tasks, each with a time, the earliest first. It is a binary heap. */
export function createAgenda(): Agenda {
  // A list for each field: hundreds of thousands of payments wait, and an object for each would take several times the memory.
  const times: number[] = []
  const tasks: Task[] = []
  const ids: number[] = []
  const amounts: number[] = []
  const timeAt = (index: number) => times[index] ?? Infinity
  const swap = (a: number, b: number) => {
    swapIn(times, a, b)
    swapIn(tasks, a, b)
    swapIn(ids, a, b)
    swapIn(amounts, a, b)
  }
  const agenda: Agenda = {
    next: Infinity,
    at: (time, task, id = 0, amount = 0) => {
      times.push(time)
      tasks.push(task)
      ids.push(id)
      amounts.push(amount)
      for (let child = times.length - 1; child > 0;) {
        const parent = (child - 1) >> 1
        if (timeAt(parent) <= timeAt(child)) break
        swap(parent, child)
        child = parent
      }
      agenda.next = timeAt(0)
    },
    run: () => {
      swap(0, times.length - 1)
      const [time, task, id, amount] = [times.pop(), tasks.pop(), ids.pop(), amounts.pop()]
      for (let parent = 0; ;) {
        const left = 2 * parent + 1
        const child = timeAt(left + 1) < timeAt(left) ? left + 1 : left
        if (timeAt(parent) <= timeAt(child)) break
        swap(parent, child)
        parent = child
      }
      agenda.next = timeAt(0)
      task?.(time ?? 0, id ?? 0, amount ?? 0)
    },
  }
  return agenda
}

function swapIn(list: unknown[], a: number, b: number): void {
  const left = list[a]
  list[a] = list[b]
  list[b] = left
}
