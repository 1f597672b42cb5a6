import type { Reporter, TestModule } from 'vitest/node'

/** Prints the numbers of passed and failed tests as the last line of a run; CI reads that line. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    let passed = 0
    let failed = errors.length
    for (const module of modules) {
      if (module.state() === 'failed' && module.errors().length > 0) failed++
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === 'passed') passed++
        else failed++
      }
    }
    process.on('exit', () => process.stdout.write(`${passed} passed, ${failed} failed\n`))
  }
}
