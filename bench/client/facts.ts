import { execFileSync } from 'node:child_process'
import { cpus, loadavg, totalmem } from 'node:os'
import { packagesOf } from './install.ts'
import type { Page } from './target.ts'

/** The machine, as it is now. */
export function machineFact(): string {
  const memory = (totalmem() / 2 ** 30).toFixed(0)
  return `${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}), ${memory} GB of memory, load average ${loadAverage()}`
}

/** Of the last minute. */
export const loadAverage = (): string => (loadavg()[0] ?? 0).toFixed(1)

/** What a page is made of. */
export function pageFact({ title, kind, folder }: Page): string {
  if (kind === 'product') return `${title}: commit ${commit()}`
  if (kind === 'limit')
    return `${title}: React, TanStack Virtual and cmdk in the product's versions, without forms, keys, selection or error messages`
  return `${title}: ${packagesOf(folder).join(', ')}`
}

function commit(): string {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
    }).trim()
  } catch {
    return 'unknown'
  }
}
