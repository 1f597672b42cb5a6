/** Whether this is `npm run soak`: everything that repeats runs in full. */
const isSoak = process.env['OMS_TEST_SOAK'] === 'on'

/** How often something random is tried: a few times with fixed seeds in `npm test`, in full in `npm run soak`. */
export const repeats = (sample: number, full: number): number => (isSoak ? full : sample)
