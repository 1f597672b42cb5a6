import { count, exactNumber, numberOf } from '../format.ts'
import styles from './dashboard.module.css'
import { exactly } from './ui/exactly.ts'

const radius = 52
const around = 2 * Math.PI * radius

/** S2.c.3: the count in the ring, the percent with at most two decimals below; the ring is clamped to 0 and 100. Null draws an empty ring. */
export function Gauge({ figures }: { figures: { online: unknown; percent: unknown } | null }) {
  const percent = numberOf(figures?.percent) ?? 0
  const share = Math.min(Math.max(percent, 0), 100) / 100
  return (
    <div className={styles.gauge}>
      <svg viewBox="0 0 120 120" aria-hidden>
        <circle cx="60" cy="60" r={radius} className={styles.track} />
        <circle
          cx="60"
          cy="60"
          r={radius}
          className={styles.arc}
          strokeDasharray={`${share * around} ${around}`}
          transform="rotate(-90 60 60)"
        />
      </svg>
      <strong {...(figures && exactly(figures.online))}>{figures && count(figures.online)}</strong>
      <span title={figures ? exactNumber(figures.percent) : undefined}>
        {figures && `${Math.round(percent * 100) / 100}% online`}
      </span>
    </div>
  )
}
