import { readFileSync } from 'node:fs'
import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/**
 * The files that take longest, longest first. Vitest knows the times of earlier runs only on a machine that has run the
 * tests before; a long file that starts late would leave all workers but one without work at the end.
 */
const longest = {
  browser: ['palette-queries', 'images', 'forms', 'plain-backend', 'screens', 'accessibility', 'palette'],
  others: [
    ...['commands/parity', 'queries/edit', 'server/process', 'routes/hygiene-all', 'server/installation'],
    ...['server/crash', 'queries/login-limit', 'server/auth', 'server/staff', 'table/list-tools'],
    ...['forms/forms', 'views/focus', 'palette/palette', 'views/lists', 'table/selection'],
  ],
}

/**
 * Spreads the browser tests, which mostly wait, evenly among the others, which mostly compute, so that both kinds run
 * at the same time. Within each kind the longest come first, by the lists above and then by size.
 */
export default class Sequencer extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isBrowser = ({ project }: TestSpecification) => project.name === 'browser'
    const waiting = sorted(files.filter(isBrowser), longest.browser)
    const computing = sorted(
      files.filter((file) => !isBrowser(file)),
      longest.others,
    )
    // Three browser tests start at once; each further one follows after a fixed number of other files.
    const first = waiting.splice(0, 3)
    const share = Math.ceil(computing.length / (waiting.length + 1))
    return Promise.resolve([
      ...first,
      ...waiting.flatMap((file, at) => [...computing.slice(at * share, (at + 1) * share), file]),
      ...computing.slice(waiting.length * share),
    ])
  }
}

function sorted(files: readonly TestSpecification[], names: readonly string[]): TestSpecification[] {
  const place = ({ moduleId }: TestSpecification) => {
    const at = names.findIndex((name) => moduleId.includes(`/${name}.test.`))
    return at < 0 ? names.length : at
  }
  const size = ({ moduleId }: TestSpecification) => readFileSync(moduleId).length
  return files.toSorted((a, b) => place(a) - place(b) || size(b) - size(a))
}
