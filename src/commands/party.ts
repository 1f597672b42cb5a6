import { phone, text } from '../format.ts'

/** The driver or customer of a record may be an object or plain text (rulings, lists). */
export function partyName(party: unknown): string {
  return text(party) || text(userOf(party).get('fullname'))
}

export function partyNameAndPhone(party: unknown): string {
  return [partyName(party), phone(userOf(party).get('phone_number'))].filter(Boolean).join(' ')
}

function userOf(party: unknown): Map<string, unknown> {
  const fields = fieldsOf(party)
  return fields.has('user') ? fieldsOf(fields.get('user')) : fields
}

const fieldsOf = (value: unknown) =>
  new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : [])
