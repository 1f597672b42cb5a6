import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/**
 * Spreads the browser tests, which mostly wait, evenly among the others, which mostly compute, so that both kinds run
 * at the same time. Within each kind the order is Vitest's: longest first.
 */
export default class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isBrowser = ({ project }: TestSpecification) => project.name === 'browser'
    const [waiting, computing] = [sorted.filter(isBrowser), sorted.filter((file) => !isBrowser(file))]
    // Three browser tests start at once; each further one follows after a fixed number of other files.
    const first = waiting.splice(0, 3)
    const share = Math.ceil(computing.length / (waiting.length + 1))
    return [
      ...first,
      ...waiting.flatMap((file, at) => [...computing.slice(at * share, (at + 1) * share), file]),
      ...computing.slice(waiting.length * share),
    ]
  }
}
