/** Events in order of time. `next` is the time of the next one, `Infinity` after the last; `run` handles it. */
export interface Source {
  next: number
  run(): void
}

export interface Agenda extends Source {
  at(time: number, task: () => void): void
}

/** A queue of tasks, each with a time, the earliest first. It is a binary heap. */
export function createAgenda(): Agenda {
  const heap: { time: number; task: () => void }[] = []
  const timeAt = (index: number) => heap[index]?.time ?? Infinity
  const swap = (a: number, b: number) => {
    const [left, right] = [heap[a], heap[b]]
    if (left && right) [heap[a], heap[b]] = [right, left]
  }
  const agenda: Agenda = {
    next: Infinity,
    at: (time, task) => {
      heap.push({ time, task })
      for (let child = heap.length - 1; child > 0;) {
        const parent = (child - 1) >> 1
        if (timeAt(parent) <= timeAt(child)) break
        swap(parent, child)
        child = parent
      }
      agenda.next = timeAt(0)
    },
    run: () => {
      const first = heap[0]
      const last = heap.pop()
      if (last && heap.length > 0) heap[0] = last
      for (let parent = 0; ;) {
        const left = 2 * parent + 1
        const child = timeAt(left + 1) < timeAt(left) ? left + 1 : left
        if (timeAt(parent) <= timeAt(child)) break
        swap(parent, child)
        parent = child
      }
      agenda.next = timeAt(0)
      first?.task()
    },
  }
  return agenda
}
