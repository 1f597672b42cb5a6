import { useAtomValue } from 'jotai'
import { read } from '../api/client.ts'
import type { Trends as WireTrends } from '../api/contract.ts'
import type { Row } from '../api/loose.ts'
import type { Load } from '../commands/loads.ts'
import { forms, periods, trendsOf } from '../commands/nouns/trends.ts'
import { runHere } from '../commands/run-command.ts'
import { locationAtom } from '../state/location.ts'
import { Chart } from './chart.tsx'
import styles from './dashboard.module.css'
import driverStyles from './driver.module.css'
import { areasOf, pointsOf, series, sumsOf } from './series.ts'
import { TrendsAreas } from './trends-areas.tsx'
import { TrendsTable } from './trends-table.tsx'
import { Retry } from './ui/retry.tsx'
import { Tabs } from './ui/tabs.tsx'
import { useLoad } from './ui/use-load.ts'

const trendsLoad = (days: number): Load<Row<WireTrends>> => ({
  queryKey: ['analytics', 'trends', days],
  queryFn: ({ signal }) => read<WireTrends>(`trends/?days=${String(days)}`, signal),
})

/** How figures of the dashboard went over the last days: charts, or a table with the same numbers. */
export default function Trends() {
  const { days, isTable } = trendsOf(useAtomValue(locationAtom).search)
  const { data, isFailed, isRepeating, retry } = useLoad(trendsLoad(days))
  const [toTable, toCharts] = forms
  const other = isTable ? toCharts : toTable
  const points = pointsOf(data?.points)
  const before = sumsOf(data?.before)
  const areas = areasOf(data?.areas)
  return (
    <section aria-labelledby="trends" aria-busy={!data && !isFailed} className={styles.trends}>
      <header>
        <h2 id="trends">Trends</h2>
        <button type="button" data-command={other.id} onClick={() => runHere(other)}>
          {isTable ? 'Show as charts' : 'Show as table'}
        </button>
      </header>
      <Tabs
        label="Period"
        className={driverStyles.tabs}
        tabs={periods.map(([length, { id }]) => ({
          name: String(length),
          label: labelOf(length),
          command: id,
        }))}
        chosen={String(days)}
        choose={(name) => {
          const period = periods.find(([length]) => String(length) === name)
          if (period) runHere(period[1])
        }}
      >
        {isFailed && <Retry busy={isRepeating} retry={retry} />}
        {isTable && data ? (
          <TrendsTable points={points} before={before} days={days} />
        ) : (
          <div
            className={styles.cards}
            style={{ gridTemplateColumns: 'repeat(auto-fill, minmax(min(20rem, 100%), 1fr))' }}
          >
            {series.map((one) => (
              <Chart key={one.label} series={one} points={data ? points : null} before={before} days={days} />
            ))}
          </div>
        )}
        {areas.length > 0 && <TrendsAreas areas={areas} isTable={isTable} />}
      </Tabs>
    </section>
  )
}

const labelOf = (days: number) => (days === 1 ? 'Today' : `${String(days)} days`)
