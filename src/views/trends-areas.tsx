import { amount, count } from '../format.ts'
import styles from './dashboard.module.css'
import type { AreaSums } from './series.ts'

/** As many areas as are named beside the charts; the others are added up. */
const most = 8

interface TrendsAreasProps {
  areas: readonly AreaSums[]
  /** Names every area. */
  isTable: boolean
}

/** Where the completed trips of the period began. */
export function TrendsAreas({ areas, isTable }: TrendsAreasProps) {
  const shown =
    isTable || areas.length <= most + 1 ? areas : [...areas.slice(0, most), rest(areas.slice(most))]
  const all = sumOf(areas)
  const highest = Math.max(...shown.map(({ trips }) => trips))
  return (
    <div className={styles.table} role="region" aria-labelledby="areas" tabIndex={0}>
      <table>
        <caption id="areas">Completed trips by area</caption>
        <thead>
          <tr>
            <th scope="col">Area</th>
            <th scope="col">Trips</th>
            <th scope="col">Share</th>
            <th scope="col">Fares (Ksh)</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ area, trips, fares }) => (
            <tr key={area}>
              <th scope="row">{area}</th>
              <td>{count(trips)}</td>
              <td className={styles.share}>
                <span style={{ inlineSize: `calc((100% - 4rem) * ${String(trips / highest)})` }} />
                {((trips / all.trips) * 100).toFixed(1)}%
              </td>
              <td>{amount(fares)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            <td>{count(all.trips)}</td>
            <td />
            <td>{amount(all.fares)}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

const rest = (areas: readonly AreaSums[]): AreaSums => ({
  ...sumOf(areas),
  area: `${count(areas.length)} more areas`,
})

/** The fares in whole cents, so that they add up exactly. */
const sumOf = (areas: readonly AreaSums[]) => ({
  trips: areas.reduce((sum, { trips }) => sum + trips, 0),
  fares: areas.reduce((sum, { fares }) => sum + Math.round(fares * 100), 0) / 100,
})
