import { useAtomValue } from 'jotai'
import { configAtom } from '../api/config.ts'
import { analyticsLoad } from '../commands/loads.ts'
import { count, currentMonth, exactNumber, numberOf, wholeAmount } from '../format.ts'
import styles from './dashboard.module.css'
import { Gauge } from './gauge.tsx'
import type { Screen } from './screen.tsx'
import { Retry } from './ui/retry.tsx'
import { ScreenHeader } from './ui/screen-header.tsx'
import { useLoad } from './ui/use-load.ts'

/** S2.c */
export const dashboard: Screen = {
  path: '/',
  title: 'Dashboard',
  commands: [],
  load: () => analyticsLoad,
  View: Dashboard,
}

const money = [
  ['cash_in_hand', 'Total cash in hand', ''],
  ['pending_reconciliation', 'Pending reconciliation', ''],
  ['total_revenue', 'Total revenue', ''],
  ['total_amount', 'Total cash generated', ''],
  ['total_driver_amount', 'Total driver amount', 'The amount generated without our cut'],
  ['commission', 'Total commission', '18% earned'],
] as const

const statistics = [
  ['total_riders', 'Total riders'],
  ['total_customers', 'Total customers'],
  ['total_completed_trips', 'Total trips completed'],
  ['total_suspended_riders', 'Suspended riders'],
  ['total_failed_trips', 'Total failed trips'],
  ['total_bookings', 'Total bookings'],
  ['total_ongoing_bookings', 'Ongoing bookings'],
  ['total_completed_bookings', 'Completed bookings'],
  ['total_pending_bookings', 'Pending bookings'],
] as const

function Dashboard() {
  const { product } = useAtomValue(configAtom)
  const { data, isFailed, isFetching, retry } = useLoad(analyticsLoad)
  const figures = new Map<string, unknown>(Object.entries(data ?? {}))
  figures.set('commission', figures.get(commissionKey([...figures.keys()], product)))
  const figure = (key: string, format: (value: unknown) => string) =>
    data ? (
      <dd title={exactNumber(figures.get(key))} data-none={numberOf(figures.get(key)) === null}>
        {format(figures.get(key))}
      </dd>
    ) : (
      <dd className={styles.blank}>
        <span className="visually-hidden">{isFailed ? 'not loaded' : 'loading'}</span>
      </dd>
    )
  return (
    <>
      <ScreenHeader title="Dashboard">{isFailed && <Retry busy={isFetching} retry={retry} />}</ScreenHeader>
      <div
        className={styles.dashboard}
        data-stale={isFailed && data !== undefined}
        data-loading={!data && !isFailed}
      >
        <section aria-labelledby="revenue">
          <h2 id="revenue">Revenue/Cash</h2>
          <dl className={styles.cards}>
            {money.map(([key, label, note]) => (
              <div key={key}>
                <dt>{label}</dt>
                {figure(key, (value) => `Ksh ${wholeAmount(value)}`)}
                <dd className={styles.caption}>
                  {note && `${note} `}as of {currentMonth(new Date())}
                </dd>
              </div>
            ))}
          </dl>
        </section>
        <section aria-labelledby="statistics">
          <h2 id="statistics">Statistics</h2>
          <dl className={styles.cards}>
            {statistics.map(([key, label]) => (
              <div key={key}>
                <dt>{label}</dt>
                {figure(key, count)}
              </div>
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
    </>
  )
}

/** The key of our product if present, else any other `total_*_amount`, as other servers send (rulings, numbers). */
export function commissionKey(keys: readonly string[], product: string): string {
  const own = `total_${product}_amount`
  if (keys.includes(own)) return own
  return keys.find((key) => /^total_\w+_amount$/.test(key) && key !== 'total_driver_amount') ?? own
}
