import { fold } from '../fold.ts'
import fleet from './data/fleet-ke.json' with { type: 'json' }
import type { Random } from './random.ts'

interface Note {
  text: string
  folded: string
  /** What the note says about the payment, if anything. */
  paidInCash: boolean | null
}

/** A note that fits: nothing that only shows on the way before the ride is over, no flight without an airport. */
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
