import { createHash } from 'node:crypto'
import type { RunnerTask, RunnerTestFile, RunnerTestSuite } from 'vitest'
import { TestRunner } from 'vitest'
import { sampleSeed } from './soak.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Whether the test does not belong to the sample of this run. */
    leftOut?: true
  }
}

/**
 * The share of the tests of each project that belongs to a sample, by what they cost: a test in the browser needs 50 times
 * the processor time of a test of the console.
 */
const shares = new Map([
  ['console', 0.3],
  ['page', 0.3],
  ['server', 0.08],
  ['browser', 0.05],
])

/** Runs the tests that the seed of the run chooses, and the hooks of the files and the `describe`s that have some. */
export default class SamplingRunner extends TestRunner {
  onCollected(files: RunnerTestFile[]): void {
    for (const file of files) keepSample(file, shares.get(file.projectName ?? '') ?? 1)
  }
}

const noHooks = { beforeAll: [], afterAll: [], aroundAll: [], beforeEach: [], afterEach: [], aroundEach: [] }

/** Whether a test is left. */
function keepSample(suite: RunnerTestSuite, share: number): boolean {
  let left = false
  for (const task of suite.tasks) {
    if (task.type === 'suite') {
      if (keepSample(task, share)) left = true
    } else if (task.mode !== 'run' || part(task) < share) left = true
    else {
      task.mode = 'skip'
      task.meta.leftOut = true
    }
  }
  if (!left) Object.assign(TestRunner.getSuiteHooks(suite), noHooks)
  return left
}

/** A number from 0 to 1 for the test, different for each seed. */
const part = ({ fullName }: RunnerTask) =>
  createHash('sha256').update(`${sampleSeed}\n${fullName}`).digest().readUInt32BE() / 2 ** 32
