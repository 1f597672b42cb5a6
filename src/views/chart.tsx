import type { KeyboardEvent, PointerEvent } from 'react'
import { useState } from 'react'
import type { Point, Series } from './series.ts'
import { nameOf, periodBefore, shortNameOf, totalOf } from './series.ts'

interface ChartProps {
  series: Series
  /** Null until they are loaded. */
  points: readonly Point[] | null
  before: Omit<Point, 'at'>
  days: number
}

/** One bar for each day or hour. The pointer and the arrow keys choose the one whose number is told. */
export function Chart({ series, points, before, days }: ChartProps) {
  const [chosen, choose] = useState<number | null>(null)
  const { label, unit, of, exact, rounded } = series
  const values = (points ?? []).map(of)
  // Of today, the hours to come have their place.
  const places = days === 1 ? 24 : Math.max(values.length, 1)
  const highest = Math.max(...values, 0)
  const point = chosen === null ? undefined : points?.[chosen]
  const last = values.length - 1
  const told = point ? `${nameOf(point, days)}: ${unit}${exact(of(point))}` : ''

  const onPointerMove = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const at = Math.floor(((clientX - left) / width) * places)
    choose(at >= 0 && at <= last ? at : null)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return
    const next = new Map([
      ['ArrowLeft', Math.max((chosen ?? last + 1) - 1, 0)],
      ['ArrowRight', Math.min((chosen ?? -1) + 1, last)],
      ['Home', 0],
      ['End', last],
    ]).get(event.key)
    if (next === undefined || last < 0) return
    event.preventDefault()
    choose(next)
  }

  return (
    <div>
      <figure>
        <figcaption>
          {label}
          <strong>{points ? unit + rounded(totalOf(series, points)) : '\u00a0'}</strong>
          <small>{points ? changeOf(totalOf(series, points), of(before), days) : '\u00a0'}</small>
        </figcaption>
        <div
          role="img"
          aria-label={points ? summaryOf(series, points, days) : label}
          tabIndex={0}
          onPointerMove={onPointerMove}
          onPointerLeave={() => choose(null)}
          onBlur={() => choose(null)}
          onKeyDown={onKeyDown}
        >
          <svg viewBox={`0 0 ${String(places)} 1`} preserveAspectRatio="none" aria-hidden>
            {values.map((value, at) => (
              <rect
                key={at}
                x={at + 0.12}
                width={0.76}
                y={1 - (highest ? value / highest : 0)}
                height={highest ? value / highest : 0}
                opacity={at === chosen ? 1 : 0.7}
              />
            ))}
          </svg>
        </div>
        <small>
          <output>{told}</output>
          {!told && (
            <>
              <span>{points?.[0] && shortNameOf(points[0], days)}</span>
              <span>{points && (highest ? `highest ${unit}${rounded(highest)}` : 'none')}</span>
              <span>
                {points && (days === 1 ? '24:00' : points[last] && shortNameOf(points[last], days))}
              </span>
            </>
          )}
        </small>
      </figure>
    </div>
  )
}

/** "+12% on the 14 days before" */
function changeOf(total: number, before: number, days: number): string {
  if (!before) return total ? `none in ${periodBefore(days)}` : `none, as in ${periodBefore(days)}`
  const percent = Math.round((total / before - 1) * 100)
  return `${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${String(Math.abs(percent))}% on ${periodBefore(days)}`
}

/** The chart in words: its total, its range and its highest point. */
function summaryOf(series: Series, points: readonly Point[], days: number): string {
  const { label, unit, of, exact } = series
  const [first] = points
  const last = points.at(-1)
  if (!first || !last) return `${label}: no data`
  const most = points.reduce((best, one) => (of(one) > of(best) ? one : best))
  const range = `${nameOf(first, days)} to ${nameOf(last, days)}`
  const peak = of(most) ? `, highest ${unit}${exact(of(most))} at ${nameOf(most, days)}` : ''
  return `${label}, ${range}: ${unit}${exact(totalOf(series, points))}${peak}. Arrow keys tell each number.`
}
