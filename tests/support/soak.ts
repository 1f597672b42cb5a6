/** Whether this is `npm run soak`, which repeats random tests in full and tries other browsers. */
export const isSoak = process.env['OMS_TEST_SOAK'] === 'on'

/** How often a random test with a fixed seed is repeated: `sample` in `npm test`, `full` in `npm run soak`. */
export const repeats = (sample: number, full: number): number => (isSoak ? full : sample)
