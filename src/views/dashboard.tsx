import { useAtomValue } from 'jotai'
import { capabilitiesAtom, configAtom } from '../api/config.ts'
import { analyticsLoad } from '../commands/loads.ts'
import { booking } from '../commands/nouns/booking.ts'
import { customer } from '../commands/nouns/customer.ts'
import { driver } from '../commands/nouns/driver.ts'
import { invoice } from '../commands/nouns/invoice.ts'
import { trip } from '../commands/nouns/trip.ts'
import { forms, periods } from '../commands/nouns/trends.ts'
import { count, currentMonth, timeOfDay, wholeAmount } from '../format.ts'
import type { Rows } from './card.tsx'
import { Card } from './card.tsx'
import styles from './dashboard.module.css'
import { trends } from './deferred-parts.ts'
import { Gauge } from './gauge.tsx'
import type { Screen } from './screen.tsx'
import { Near } from './ui/near.tsx'
import { Retry } from './ui/retry.tsx'
import { ScreenHeader } from './ui/screen-header.tsx'
import { useLoad } from './ui/use-load.ts'

/** S2.c */
export const dashboard: Screen = {
  path: '/',
  title: 'Dashboard',
  commands: [...periods.map(([, command]) => command), ...forms],
  load: () => analyticsLoad,
  View: Dashboard,
}

const money: readonly [key: string, label: string, note: string, ...Rows[]][] = [
  ['cash_in_hand', 'Total cash in hand', '', [invoice, 'paid']],
  ['pending_reconciliation', 'Pending reconciliation', '', [invoice, 'unpaid']],
  ['total_revenue', 'Total revenue', '', [invoice]],
  ['total_amount', 'Total cash generated', '', [trip, 'completed'], [booking, 'paid']],
  ['total_driver_amount', 'Total driver amount', 'The amount generated without our cut'],
  ['commission', 'Total commission', '18% earned'],
]

const statistics: readonly [key: string, label: string, Rows][] = [
  ['total_riders', 'Total riders', [driver]],
  ['total_customers', 'Total customers', [customer]],
  ['total_completed_trips', 'Total trips completed', [trip, 'completed']],
  ['total_suspended_riders', 'Suspended riders', [driver, 'suspended']],
  ['total_failed_trips', 'Total failed trips', [trip, 'cancelled']],
  ['total_bookings', 'Total bookings', [booking]],
  ['total_ongoing_bookings', 'Ongoing bookings', [booking, 'ongoing']],
  ['total_completed_bookings', 'Completed bookings', [booking, 'completed']],
  ['total_pending_bookings', 'Pending bookings', [booking, 'pending']],
]

function Dashboard() {
  const { product } = useAtomValue(configAtom)
  const { filters, trends: hasTrends } = useAtomValue(capabilitiesAtom)
  const { data, dataUpdatedAt, isFailed, isRepeating, retry } = useLoad(analyticsLoad)
  const figures = new Map<string, unknown>(Object.entries(data ?? {}))
  figures.set('commission', figures.get(commissionKey([...figures.keys()], product)))
  const missing = isFailed ? 'not loaded' : 'loading'
  const figure = (key: string, format: (value: unknown) => string) =>
    data ? { value: figures.get(key), shown: format(figures.get(key)) } : null
  return (
    <>
      <ScreenHeader title="Dashboard">
        {isFailed && <Retry busy={isRepeating} retry={retry} />}
        {data && filters['invoices'] && (
          <span className={styles.caption}>as of {timeOfDay(dataUpdatedAt)}</span>
        )}
      </ScreenHeader>
      <div
        className={styles.dashboard}
        data-stale={isFailed && data !== undefined}
        data-loading={!data && !isFailed}
      >
        <section aria-labelledby="revenue">
          <h2 id="revenue">Revenue/Cash</h2>
          <dl className={styles.cards}>
            {money.map(([key, label, note, ...rows]) => (
              <Card
                key={key}
                label={label}
                figure={figure(key, (value) => `Ksh ${wholeAmount(value)}`)}
                missing={missing}
                rows={rows}
                caption={
                  <dd className={styles.caption}>
                    {note && `${note} `}as of {currentMonth(new Date())}
                  </dd>
                }
              />
            ))}
          </dl>
        </section>
        <section aria-labelledby="statistics">
          <h2 id="statistics">Statistics</h2>
          <dl className={styles.cards}>
            {statistics.map(([key, label, rows]) => (
              <Card key={key} label={label} figure={figure(key, count)} missing={missing} rows={[rows]} />
            ))}
          </dl>
        </section>
        <section className={styles.side} aria-labelledby="online">
          <h2 id="online">Online drivers</h2>
          <Gauge
            figures={data ? { online: data.online_drivers, percent: data.percent_online_drivers } : null}
          />
        </section>
      </div>
      {hasTrends && (
        <Near>
          <trends.Component />
        </Near>
      )}
    </>
  )
}

/** The key of our product if present, else any other `total_*_amount`, as other servers send (rulings, numbers). */
export function commissionKey(keys: readonly string[], product: string): string {
  const own = `total_${product}_amount`
  if (keys.includes(own)) return own
  return keys.find((key) => /^total_\w+_amount$/.test(key) && key !== 'total_driver_amount') ?? own
}
