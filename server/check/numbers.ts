import type { Engine } from '../db/engine.ts'
import { wrongNumbers } from '../db/wrong-numbers.ts'
import type { Finding } from './finding.ts'
import { ask, mostListed, recompute } from './finding.ts'

/** Counters, totals and numbers by hour, compared with the rows that they belong to. */
export async function* checkNumbers(engine: Engine): AsyncGenerator<Finding> {
  for (const query of wrongNumbers()) {
    const wrong = await ask<{ name: string; stored: number; counted: number }>(
      engine,
      `${query} limit ${mostListed}`,
    )
    for (const { name, stored, counted } of wrong)
      yield { what: `${name} is ${stored} and should be ${counted}`, todo: recompute }
  }
}
