import type { Browser } from 'playwright-core'
import type { Suite, Values } from './suite.ts'
import type { Target } from './target.ts'
import type { Profile } from './visit.ts'
import { visit } from './visit.ts'

/** One suite with one profile. */
export interface Cell {
  suite: Suite
  profile: Profile
  /** The values of the visits by the name of the target. */
  values: Map<string, Values[]>
}

/**
 * Visits each target once for each cell. The order of the targets depends on the number of the round, and those of one cell follow
 * each other, so that other programs slow down all alike. Returns what failed; throws if the
 * browser has ended.
 */
export async function runRound(
  browser: Browser,
  targets: readonly Target[],
  cells: readonly Cell[],
  round: number,
): Promise<string[]> {
  const failures: string[] = []
  for (const { suite, profile, values } of cells)
    for (const [at] of targets.entries()) {
      const target = targets[(at + round) % targets.length]
      if (!target) continue
      try {
        const measured = await visit(browser, target, { profile, rows: suite.rows }, suite.measure)
        if (measured) values.set(target.name, [...(values.get(target.name) ?? []), measured])
      } catch (error) {
        // A stopped run ends here: what it has not visited did not fail.
        if (!browser.isConnected()) throw error
        failures.push(`a visit failed: ${target.title}, ${suite.title}, ${profile}: ${firstLine(error)}`)
      }
    }
  return failures
}

const firstLine = (error: unknown) => String(error).split('\n')[0] ?? ''
