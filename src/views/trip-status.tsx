import { text } from '../format.ts'
import type { Tone } from './ui/pill.tsx'
import { Pill } from './ui/pill.tsx'

/** S4.4; any other status is blue. */
const tones = new Map<string, Tone>([
  ['Completed', 'green'],
  ['Ongoing', 'amber'],
  ['Cancelled', 'red'],
])

export function TripStatus({ status }: { status: unknown }) {
  return text(status) && <Pill tone={tones.get(text(status)) ?? 'blue'}>{text(status)}</Pill>
}
