import { useAtomValue } from 'jotai'
import type { Driver } from '../api/contract.ts'
import type { Row } from '../api/loose.ts'
import { runHere } from '../commands/run-command.ts'
import {
  driver as noun,
  driverTransactions,
  driverTrips,
  histories,
  pictures,
  tabOf,
} from '../commands/nouns/driver.ts'
import { amount, count, day, dayAndTime, text } from '../format.ts'
import { locationAtom } from '../state/location.ts'
import { CardPlace } from './card-place.tsx'
import { DriverHistory } from './driver-history.tsx'
import styles from './driver.module.css'
import { SuspendButton } from './drivers.tsx'
import { Presence } from './presence.tsx'
import { recordScreen } from './screen.tsx'
import { PhoneLink } from './table/phone-link.tsx'
import { TripStatus } from './trip-status.tsx'
import { Avatar } from './ui/avatar.tsx'
import { overlaysAtom } from './ui/overlays.ts'
import { Tabs } from './ui/tabs.tsx'
import { exactly } from './ui/exactly.ts'

/** S2.e */
export const driver = recordScreen<Driver>({
  noun,
  path: '/riders/:riderID',
  title: 'Driver',
  width: 72,
  columns: 3,
  extraCommands: [...histories, ...pictures.map(({ enlarge }) => enlarge)],
  body: (row, id) => (
    <>
      <Profile driver={row} />
      <Histories key={id} id={id} />
    </>
  ),
})

function Profile({ driver }: { driver: Row<Driver> }) {
  const name = text(driver.user?.fullname)
  const More = useAtomValue(overlaysAtom)?.DriverMore
  const tiles = [
    ['Total trips', driver.total_trips, count],
    ['Total earnings (KSh)', driver.total_earnings, amount],
    ['Completed trips', driver.total_completed_trips, count],
    ['Failed trips', driver.total_failed_trips, count],
  ] as const
  return (
    <>
      <section className={styles.head} aria-label="Driver">
        <Avatar name={name} image={text(driver.image)} size={64} />
        <div className={styles.name}>
          <h2>{name}</h2>
          <Presence driver={driver} /> <span>{inWords(driver)}</span>
        </div>
        <SuspendButton driver={driver} />
      </section>
      <dl className={styles.tiles}>
        {tiles.map(([label, value, format]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd {...exactly(value)}>{format(value)}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.cards}>
        <section className={styles.card}>
          <h3>Contact details</h3>
          <p>
            <PhoneLink number={driver.user?.phone_number} />
          </p>
        </section>
        <section className={styles.card}>
          <h3>Vehicle details</h3>
          <p>{text(driver.vehicle?.registration).toUpperCase()}</p>
        </section>
        <section className={styles.card}>
          <h3>Wallet(Ksh)</h3>
          <p {...exactly(driver.wallet_balance)}>{amount(driver.wallet_balance)}</p>
        </section>
        <section className={styles.card}>
          <h3>Date joined</h3>
          <p title={dayAndTime(driver.user?.date_joined)}>{day(driver.user?.date_joined)}</p>
        </section>
        {More ? (
          <More driver={driver} />
        ) : (
          ['', '', ''].map((_, at) => <CardPlace key={at} isTall={at > 0} />)
        )}
      </div>
      <div className={styles.pictures}>
        {pictures.map(({ label, sourceOf, enlarge }) => (
          <figure key={label}>
            <figcaption>{label}</figcaption>
            {sourceOf(driver) ? (
              <button type="button" data-command={enlarge.id} onClick={() => runHere(enlarge)}>
                <img src={sourceOf(driver)} alt={label} loading="lazy" />
              </button>
            ) : (
              <div role="img" aria-label={`No ${label}`} />
            )}
          </figure>
        ))}
      </div>
    </>
  )
}

/** What the presence means for the next trip. */
const inWords = ({ online, busy, deleted }: Row<Driver>): string =>
  deleted === true ? 'Suspended' : online === true ? (busy === true ? 'On a trip' : 'Free for a trip') : ''

/** S2.e.6: two tabs. The URL holds the chosen tab and the page of each. */
function Histories({ id }: { id: string }) {
  const tab = tabOf(useAtomValue(locationAtom).search)
  const show = (value: string) => {
    const command = histories.find(({ id }) => id === `riders.${value}`)
    if (command) runHere(command)
  }
  const tabs = histories.map(({ id, about }) => ({
    name: id.replace('riders.', ''),
    label: about,
    command: id,
  }))
  return (
    <div className={styles.histories}>
      <Tabs label="History" className={styles.tabs} tabs={tabs} chosen={tab} choose={show}>
        {tab === 'jobs' ? (
          <DriverHistory
            id={id}
            of="Jobs history"
            parameter="page"
            load={driverTrips}
            empty="No jobs"
            item={(trip) => ({
              title: `Trip #${text(trip.id)}`,
              amount: trip.cost,
              date: day(trip.created_at),
              exact: dayAndTime(trip.created_at),
              detail: (text(trip.start_name) || text(trip.destination_name) || text(trip.status)) && (
                <>
                  {[text(trip.start_name), text(trip.destination_name)].filter(Boolean).join(' → ')}{' '}
                  <TripStatus status={trip.status} />
                </>
              ),
            })}
          />
        ) : (
          <DriverHistory
            id={id}
            of="Transactions history"
            parameter="pageT"
            load={driverTransactions}
            empty="No transactions"
            item={(transaction) => ({
              title: `Transaction #${text(transaction.transaction_id)}`,
              amount: transaction.amount,
              date: day(transaction.created_at),
              exact: dayAndTime(transaction.created_at),
            })}
          />
        )}
      </Tabs>
    </div>
  )
}
