import { CalendarX, CircleMinus } from 'lucide-react'
import {
  amount,
  coordinate,
  count,
  day,
  dayAndTime,
  exactNumber,
  numberOf,
  phone,
  text,
} from '../../format.ts'
import { capitalized } from '../../commands/list.ts'
import type { Noun } from '../../commands/noun.ts'
import { partyName } from '../../commands/party.ts'
import type { Column } from './column.ts'
import { partyLink } from './party-link.tsx'
import { PhoneLink } from './phone-link.tsx'
import { RecordLink } from './record-link.tsx'

type Read<T> = (row: T) => unknown

export function textColumn<T>(id: string, header: string, width: number, read: Read<T>): Column<T> {
  return { id, header, width, cell: (row) => text(read(row)) }
}

export function idColumn<T>(width: number, read: Read<T>): Column<T> {
  return { ...textColumn('id', 'ID #', width, read), sort: 'id' }
}

/** A column of links. A cell without text or without an address shows plain text. */
export function linkColumn<T>(
  id: string,
  header: string,
  width: number,
  href: (row: T) => string,
  read: Read<T>,
): Column<T> {
  const value = (row: T) => text(read(row))
  return {
    id,
    header,
    width,
    control: true,
    cell: (row) =>
      value(row) && href(row) ? <RecordLink href={href(row)}>{value(row)}</RecordLink> : value(row),
    copy: value,
    exact: value,
  }
}

/** The driver or the customer of each record. */
export function partyColumn<T>(noun: Noun, width: number, read: Read<T>): Column<T> {
  const name = (row: T) => partyName(read(row))
  return {
    id: noun.name,
    header: capitalized(noun.name),
    width,
    control: true,
    cell: (row) => partyLink(noun, read(row)),
    copy: name,
    exact: name,
  }
}

export function phoneColumn<T>(id: string, header: string, read: Read<T>): Column<T> {
  const shown = (row: T) => phone(read(row))
  return {
    id,
    header,
    width: 8.75,
    card: 'plain',
    control: true,
    cell: (row) => shown(row) && <PhoneLink number={read(row)} />,
    copy: shown,
    exact: shown,
  }
}

/** S9.5: rounded to six decimals. */
export function coordinateColumn<T>(id: string, header: string, read: Read<T>): Column<T> {
  return {
    id,
    header,
    width: 6.5,
    cell: (row) => coordinate(read(row)),
    exact: (row) => coordinate(read(row)) && text(read(row)),
  }
}

/** A column of dates. `meaning` names the date in the exact value, if the header says something else (R4). */
export function dayColumn<T>(id: string, header: string, read: Read<T>, meaning = ''): Column<T> {
  return {
    id,
    header,
    width: 7.75,
    maxLength: '22nd Nov 2025'.length,
    cell: (row) => day(read(row)),
    exact: (row) => [meaning, dayAndTime(read(row))].filter(Boolean).join(': '),
  }
}

export function momentColumn<T>(id: string, header: string, read: Read<T>): Column<T> {
  return {
    id,
    header,
    width: 11,
    maxLength: '22nd Nov 2025, 10:30 am'.length,
    cell: (row) => dayAndTime(read(row)),
  }
}

export function countColumn<T>(id: string, header: string, read: Read<T>): Column<T> {
  return number(id, header, read, count)
}

export function amountColumn<T>(id: string, header: string, read: Read<T>): Column<T> {
  return number(id, header, read, amount)
}

/** An amount of which a negative one is marked. */
export function walletColumn<T>(read: Read<T>): Column<T> {
  return {
    ...amountColumn('wallet-ksh', 'Wallet(Ksh)', read),
    sort: 'wallet_balance',
    state: (row) => (numberOf(read(row)) ?? 0) < 0 && { Icon: CircleMinus, text: 'Negative balance' },
  }
}

/** The mark of a coupon or promo code that is not valid any more. */
export const expiredState = (isExpired: boolean) => isExpired && { Icon: CalendarX, text: 'Expired' }

function number<T>(id: string, header: string, read: Read<T>, format: (value: unknown) => string): Column<T> {
  return {
    id,
    header,
    width: header.length > 12 ? 8 : 6.5,
    align: 'end',
    cell: (row) => format(read(row)),
    exact: (row) => exactNumber(read(row)),
  }
}
