/** The value below which this share of the values lies, interpolated; null if there are none. */
export function percentile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b)
  const place = (sorted.length - 1) * share
  const below = sorted[Math.floor(place)]
  const above = sorted[Math.ceil(place)]
  return below === undefined || above === undefined ? null : below + (above - below) * (place % 1)
}

const frame = 1000 / 60

/** The percentage of frames, at 60 per second, that were not painted. */
export function droppedOf(frames: readonly number[]): number {
  const dropped = frames.reduce((sum, time) => sum + Math.max(0, Math.round(time / frame) - 1), 0)
  return (100 * dropped) / (dropped + frames.length || 1)
}
