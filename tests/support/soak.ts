/** Whether this is `npm run soak`, which repeats random tests in full and tries other browsers. */
export const isSoak = process.env['OMS_TEST_SOAK'] === 'on'

/** How often a random test with a fixed seed is repeated: `sample`, or `full` in `npm run soak`. */
export const repeats = (sample: number, full: number): number => (isSoak ? full : sample)

/** The seed of the sample of tests that runs, undefined if all run. */
export const sampleSeed = process.env['OMS_TEST_SAMPLE']
