import { Pill } from './ui/pill.tsx'

interface Present {
  readonly online?: unknown
  readonly busy?: unknown
}

export function Presence({ driver }: { driver: Present }) {
  return <Pill tone={driver.online === true ? 'green' : 'grey'}>{presenceOf(driver)}</Pill>
}

/** S2.d.2: Online or Offline, plus `/ Busy` when busy. */
export function presenceOf({ online, busy }: Present): string {
  return `${online === true ? 'Online' : 'Offline'}${busy === true ? ' / Busy' : ''}`
}
