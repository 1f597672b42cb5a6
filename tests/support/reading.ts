/** The expected texts of values on screen, computed without the code under test. */

/** S9.2: two decimals and a comma between thousands. */
export const twoDecimals = (value: number) => {
  const [whole = '', cents = ''] = Math.abs(value).toFixed(2).split('.')
  return `${value < 0 ? '-' : ''}${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${cents}`
}

/** S9.3: `3rd Nov 2025` in Nairobi's time, three hours ahead of UTC. */
export function day(timestamp: string): string {
  const there = new Date(Date.parse(timestamp) + 3 * 3_600_000)
  const date = there.getUTCDate()
  const suffix = date > 3 && date < 21 ? 'th' : (['th', 'st', 'nd', 'rd'][date % 10] ?? 'th')
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
  return `${date}${suffix} ${months[there.getUTCMonth()] ?? ''} ${there.getUTCFullYear()}`
}
