import { readFileSync } from 'node:fs'
import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/**
 * A worker is used again only if the next file is of the same project, so the files of a project follow each other. A new
 * worker loads all modules again, which takes longer than most files.
 */
const projects = ['browser', 'server', 'page', 'console']

/**
 * The files that take longest, longest first. Vitest knows the times of earlier runs only on a machine that has run the
 * tests before; a long file that starts late would leave all workers but one without work at the end.
 */
const longest = [
  ...['palette-queries', 'forms', 'accessibility', 'images', 'screens', 'plain-backend', 'e2e/palette'],
  ...['e2e/drivers', 'e2e/tasks', 'e2e/places', 'draft-kills', 'e2e/views', 'e2e/failures'],
  ...[
    'server/process',
    'server/installation',
    'server/staff',
    'queries/edit',
    'backup/drill',
    'server/crash',
  ],
  ...['storage/sdk', 'storage/connections', 'backup/check', 'server/servers', 'search-engines', 'demo/load'],
  ...['commands/parity', 'table/list-tools', 'forms/forms', 'views/focus', 'palette/palette', 'views/lists'],
]

/** Orders files by project, within it the longest first: those of the list above, then by size. */
export default class Sequencer extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(
      files.toSorted(
        (a, b) =>
          projects.indexOf(a.project.name) - projects.indexOf(b.project.name) ||
          place(a) - place(b) ||
          size(b) - size(a),
      ),
    )
  }
}

function place({ moduleId }: TestSpecification): number {
  const at = longest.findIndex((name) => moduleId.includes(`/${name}.test.`))
  return at < 0 ? longest.length : at
}

const size = ({ moduleId }: TestSpecification) => readFileSync(moduleId).length
