import type { Reporter, TestModule } from 'vitest/node'
import { sampleSeed } from './soak.ts'

/** Prints the numbers of passed and failed tests as the last line of a run; CI reads that line. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    let passed = 0
    let leftOut = 0
    let failed = errors.length
    for (const module of modules) {
      if (module.state() === 'failed' && module.errors().length > 0) failed++
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed++
        else if (test.meta().leftOut) leftOut++
        else failed++
      }
    }
    if (sampleSeed !== undefined)
      process.stdout.write(
        `A sample: ${leftOut} other tests did not run (\`npm run test:all\` runs them). This sample again: OMS_TEST_SAMPLE=${sampleSeed} npm test\n`,
      )
    process.on('exit', () => process.stdout.write(`${passed} passed, ${failed} failed\n`))
  }
}
