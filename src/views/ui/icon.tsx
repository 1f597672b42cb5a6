import type { LucideProps } from 'lucide-react'
import styles from './icon.module.css'

/**
 * An icon of Lucide with one path for all of its lines. The build uses it instead of Lucide's own components (`plainIcons` in
 * vite.config.ts), which make an element for each line, and work out 11 attributes each time one is rendered.
 */
export function createIcon(path: string) {
  return function Icon({ size = 24, className = '', ...props }: LucideProps) {
    return (
      <svg
        className={`${styles.icon} ${className}`.trim()}
        width={size}
        height={size}
        viewBox="0 0 24 24"
        aria-hidden={props['aria-label'] === undefined || undefined}
        {...props}
      >
        <path d={path} />
      </svg>
    )
  }
}
