import { percentile } from '../client/stats.ts'

/** The times of calls in ms, by the names of the calls. */
export class Times {
  readonly #times = new Map<string, number[]>()
  /** How often a call failed, by message. */
  readonly failed = new Map<string, number>()

  /** Calls, and keeps the time that the call answers with. */
  async measure(name: string, call: () => Promise<number>): Promise<void> {
    try {
      const time = await call()
      const times = this.#times.get(name)
      if (times) times.push(time)
      else this.#times.set(name, [time])
    } catch (error) {
      this.failed.set(String(error), (this.failed.get(String(error)) ?? 0) + 1)
    }
  }

  names(): string[] {
    return [...this.#times.keys()].sort()
  }

  count(name: string): number {
    return this.#times.get(name)?.length ?? 0
  }

  percentile(name: string, share: number): number | null {
    return percentile(this.#times.get(name) ?? [], share)
  }

  slowest(): number {
    return Math.max(...this.names().map((name) => this.percentile(name, 1) ?? 0))
  }
}
