import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { capabilitiesAskedAtom, capabilitiesAtom } from '../api/config.ts'
import type { Driver, Invoice, SosLog } from '../api/contract.ts'
import type { Row } from '../api/loose.ts'
import { isRow } from '../api/loose.ts'
import { narrowed } from '../commands/address.ts'
import { relatedRows } from '../commands/find/record-rows.ts'
import { listLoad } from '../commands/loads.ts'
import type { Noun } from '../commands/noun.ts'
import { nounOf } from '../commands/noun.ts'
import { driver as noun } from '../commands/nouns/driver.ts'
import { count, dayAndTime, ksh, numberOf, text } from '../format.ts'
import { firstPage } from '../state/list.ts'
import { CardPlace } from './card-place.tsx'
import styles from './driver.module.css'
import { Retry } from './ui/retry.tsx'
import { useLoad } from './ui/use-load.ts'

/** What a driver owes, the last alarms, and the lists of all that is theirs: what a dispatcher asks about on the phone. */
export function DriverMore({ driver }: { driver: Row<Driver> }) {
  const { filters } = useAtomValue(capabilitiesAtom)
  const isKnown = useAtomValue(capabilitiesAskedAtom)
  const has = ({ calls }: Noun) => filters[calls.collection]?.includes('driver:') ?? false
  if (!text(driver.id)) return null
  return (
    <>
      {!isKnown && <CardPlace isTall={false} />}
      {!isKnown && <CardPlace isTall />}
      {has(nounOf('invoice')) && <UnpaidInvoices driver={driver} />}
      {has(nounOf('sos')) && <RecentSos driver={driver} />}
      <nav className={styles.card} data-tall aria-label="Lists of this driver">
        <h3>Lists of this driver</h3>
        <p>
          {relatedRows({ noun, row: driver }, '').map(({ id, title, href = '' }, at) => (
            <span key={id}>
              {at > 0 && ' · '}
              <Link
                href={href}
              >{`All ${title.replace(/ of .*/, '').replace(/^[A-Z](?![A-Z])/, lower)}`}</Link>
            </span>
          ))}
        </p>
      </nav>
    </>
  )
}

const lower = (letter: string) => letter.toLowerCase()

/** The most invoices that are added up. */
const mostInvoices = 250

function UnpaidInvoices({ driver }: { driver: Row<Driver> }) {
  const invoice = nounOf('invoice')
  const filter = `unpaid,driver:${text(driver.id)}`
  const load = useLoad(listLoad(invoice, { ...firstPage, size: mostInvoices, filter }))
  const rows = load.data?.results.filter(isRow<Invoice>) ?? []
  const sum = rows.reduce((all, row) => all + (numberOf(row.amount) ?? 0), 0)
  const isWhole = (load.data?.totalPages ?? 0) < 2
  return (
    <Card title="Unpaid invoices" load={load}>
      {rows.length === 0 ? (
        <p>None</p>
      ) : (
        <p>
          <Link href={narrowed(invoice, filter, noun.nameOf(driver))}>
            {`${isWhole ? '' : 'More than '}${count(rows.length)}, ${ksh(sum)}`}
          </Link>
        </p>
      )}
    </Card>
  )
}

function RecentSos({ driver }: { driver: Row<Driver> }) {
  const sos = nounOf('sos')
  const filter = `driver:${text(driver.id)}`
  const load = useLoad(listLoad(sos, { ...firstPage, filter }))
  const rows = load.data?.results.filter(isRow<SosLog>).slice(0, 3) ?? []
  return (
    <Card title="Recent SOS logs" load={load} isTall>
      {rows.length === 0 && <p>None</p>}
      {rows.map((row) => (
        <p key={text(row.id)}>
          <Link href={narrowed(sos, `id:${text(row.id)}`, noun.nameOf(driver))}>
            {dayAndTime(row.created_at) || sos.nameOf(row)}
          </Link>
        </p>
      ))}
    </Card>
  )
}

interface CardProps {
  title: string
  load: Pick<ReturnType<typeof useLoad>, 'data' | 'isFailed' | 'isRepeating' | 'retry'>
  /** With place for three lines. */
  isTall?: boolean
  /** Shown when the records have come. */
  children: ReactNode
}

function Card({ title, load: { data, isFailed, isRepeating, retry }, isTall = false, children }: CardProps) {
  return (
    <section className={styles.card} data-tall={isTall}>
      <h3>{title}</h3>
      {data !== undefined && children}
      {data === undefined && (isFailed ? <Retry busy={isRepeating} retry={retry} /> : <p />)}
    </section>
  )
}
