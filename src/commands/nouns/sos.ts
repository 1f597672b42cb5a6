import type { SosLog } from '../../api/contract.ts'
import { text } from '../../format.ts'
import type { Noun } from '../noun.ts'
import { defineNoun } from '../noun.ts'
import { dayFilters } from './days.ts'
import { partyNameAndPhone } from '../party.ts'

export const sos: Noun<SosLog> = defineNoun({
  name: 'sos',
  singular: 'SOS log',
  plural: 'SOS logs',
  words: ['sos', 'emergency', 'emergencies', 'alarm', 'alarms', 'panic', 'dharura'],
  owners: ['driver', 'customer'],
  path: '/sos',
  calls: { collection: 'sos', list: 'sos-lists/' },
  nameOf: (row) => `SOS log ${text(row.id)}`,
  // The numbers to call can be read in the palette.
  describe: ({ trip }) =>
    [trip?.driver, trip?.customer].map(partyNameAndPhone).filter(Boolean).join(' · ') || 'SOS log',
  filters: dayFilters,
  date: 'SOS date',
  commands: [],
})
