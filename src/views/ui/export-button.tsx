import { useAtomValue } from 'jotai'
import type { Command } from '../../commands/command.ts'
import { contextAtom } from '../../commands/context.ts'
import { exportProgressAtom } from '../../commands/exports.ts'
import { busyAtom } from '../../commands/run.ts'

/** S2.d.1, S2.f.1: 'Downloading...' with what has arrived so far, and a way to stop it. */
export function ExportButton({ command, record }: { command: Command; record: string }) {
  const context = useAtomValue(contextAtom)
  const busy = useAtomValue(busyAtom).has(record)
  const bytes = useAtomValue(exportProgressAtom).get(record)
  const run = () => void command.run(context)
  if (!busy)
    return (
      <button type="button" onClick={run}>
        {command.about}
      </button>
    )
  return (
    <>
      <span role="status">{bytes !== undefined && `${(bytes / 1_000_000).toFixed(1)} MB`}</span>
      <button type="button" aria-disabled>
        Downloading...
      </button>
      <button type="button" onClick={run}>
        Cancel
      </button>
    </>
  )
}
