import { Pill } from './pill.tsx'

interface Present {
  readonly online?: unknown
  readonly busy?: unknown
}

/** S2.d.2: Online or Offline, plus `/ Busy` when busy. */
export function Presence({ driver }: { driver: Present }) {
  const online = driver.online === true
  return (
    <Pill tone={online ? 'green' : 'grey'}>
      {online ? 'Online' : 'Offline'}
      {driver.busy === true && ' / Busy'}
    </Pill>
  )
}
