import { phone, text } from '../format.ts'

/** The driver or customer of a record may be an object or plain text (rulings, lists). */
export function partyName(party: unknown): string {
  return text(party) || text(userOf(party).get('fullname'))
}

/** Blank where the server sends none: S3.5 to S3.8 have no ids of drivers and customers. */
export const partyId = (party: unknown): string => text(fieldsOf(party).get('id'))

export function partyNameAndPhone(party: unknown): string {
  return [partyName(party), partyPhone(party)].filter(Boolean).join(' ')
}

/** With a leading plus; blank if there is none. */
export const partyPhone = (party: unknown): string => phone(userOf(party).get('phone_number'))

function userOf(party: unknown): Map<string, unknown> {
  const fields = fieldsOf(party)
  return fields.has('user') ? fieldsOf(fields.get('user')) : fields
}

const fieldsOf = (value: unknown) =>
  new Map<string, unknown>(typeof value === 'object' && value !== null ? Object.entries(value) : [])
