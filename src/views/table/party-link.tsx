import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { createElement, Fragment } from 'react'
import { capabilitiesAtom } from '../../api/config.ts'
import { addressOf } from '../../commands/address.ts'
import type { Noun } from '../../commands/noun.ts'
import { partyId, partyName, partyPhone } from '../../commands/party.ts'
import { PhoneLink } from './phone-link.tsx'
import { RecordLink } from './record-link.tsx'

/** The name of a record's driver or customer: a link if the server sends the id, else plain text. */
export const partyLink = (noun: Noun, party: unknown): ReactNode =>
  partyName(party) && partyId(party) ? <PartyLink noun={noun} party={party} /> : partyName(party)

/** Several of them with commas between them. */
export const partyLinks = (noun: Noun, parties: readonly unknown[]): ReactNode =>
  createElement(
    Fragment,
    null,
    ...parties.filter(partyName).flatMap((party, at) => [at > 0 && ', ', partyLink(noun, party)]),
  )

/** The same with the phone number, which is a link too (S2.q.2). */
export function partyAndPhone(noun: Noun, party: unknown): ReactNode {
  const name = partyLink(noun, party)
  const number = partyPhone(party)
  if (!number) return name
  return (
    <>
      {name}
      {name && ' '}
      <PhoneLink number={number} />
    </>
  )
}

function PartyLink({ noun, party }: { noun: Noun; party: unknown }) {
  // The address of a customer depends on the filters that the server offers, which are known only after the first list.
  useAtomValue(capabilitiesAtom)
  const name = partyName(party)
  return (
    <RecordLink href={addressOf(noun, { id: partyId(party), user: { fullname: name } })}>{name}</RecordLink>
  )
}
