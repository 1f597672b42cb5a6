import styles from './dashboard.module.css'
import type { Point } from './series.ts'
import { columns, nameOf, periodBefore, totalOf } from './series.ts'

interface TrendsTableProps {
  points: readonly Point[]
  before: Omit<Point, 'at'>
  days: number
}

/** The numbers of the charts, newest first. */
export function TrendsTable({ points, before, days }: TrendsTableProps) {
  return (
    <div className={styles.table} role="region" aria-label="Trends as a table" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{days === 1 ? 'Hour' : 'Day'}</th>
            {columns.map(({ label, unit }) => (
              <th key={label} scope="col">
                {unit ? `${label} (${unit.trim()})` : label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map((point) => (
            <tr key={point.at}>
              <th scope="row">{nameOf(point, days)}</th>
              {columns.map(({ label, of, exact }) => (
                <td key={label}>{exact(of(point))}</td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">Total</th>
            {columns.map((one) => (
              <td key={one.label}>{one.exact(totalOf(one, points))}</td>
            ))}
          </tr>
          <tr>
            <th scope="row">{periodBefore(days).replace('the', 'The')}</th>
            {columns.map(({ label, of, exact }) => (
              <td key={label}>{exact(of(before))}</td>
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
