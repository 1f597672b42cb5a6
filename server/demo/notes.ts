import { fold } from '../fold.ts'
import fleet from './data/fleet-ke.json' with { type: 'json' }
import type { Random } from './random.ts'

interface Note {
  text: string
  folded: string
  /** Whether the note says cash (true) or M-Pesa (false); null if it says neither. */
  paidInCash: boolean | null
}

/** A random note that fits the trip: about the ride only if it is completed, about a flight only from an airport. */
export function pickNote(random: Random, isCompleted: boolean, fromAirport: boolean): Note {
  const note = random.pick(notes)
  return (note.isAfterwards && !isCompleted) || (note.isFlight && !fromAirport) ? noNote : note
}

const noNote: Note = { text: '', folded: '', paidInCash: null }

const notes = fleet.trip_notes.map((text) => ({
  text,
  folded: text && ` ${fold(text)}`,
  paidInCash: text.startsWith('Paid in cash') ? true : text.startsWith('Paying by M-Pesa') ? false : null,
  isAfterwards: /^(Paid|Waited|Left|Driver took|Customer changed)/.test(text),
  isFlight: text.startsWith('Flight'),
}))
