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
 * Visits each target once for each cell in every round, each round in another order, so that other programs slow down all alike.
 * Before the rounds, one visit to each target warms up the machine; it is not counted. Returns what failed.
 */
export async function runRounds(
  browser: Browser,
  targets: readonly Target[],
  cells: readonly Cell[],
  rounds: number,
): Promise<string[]> {
  const failures: string[] = []
  for (let round = 0; round <= rounds; round++) {
    const started = Date.now()
    for (const { suite, profile, values } of round === 0 ? cells.slice(0, 1) : cells)
      for (const [at] of targets.entries()) {
        const target = targets[(at + round) % targets.length]
        if (!target) continue
        const measured = await visit(browser, target, { profile, rows: suite.rows }, suite.measure).catch(
          (error: unknown) => {
            failures.push(`${target.title}, ${suite.title}, ${profile}: ${firstLine(error)}`)
            return null
          },
        )
        if (measured && round > 0) values.set(target.name, [...(values.get(target.name) ?? []), measured])
      }
    console.log(`round ${round} of ${rounds}: ${((Date.now() - started) / 1000).toFixed(0)} s`)
  }
  return failures
}

const firstLine = (error: unknown) => String(error).split('\n')[0] ?? ''
