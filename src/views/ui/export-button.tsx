import { useAtomValue } from 'jotai'
import { useRef } from 'react'
import type { Export } from '../../commands/exports.ts'
import { exportsAtom } from '../../commands/exports.ts'
import { runHere } from '../../commands/run-command.ts'

/** S2.d.1, S2.f.1: while it runs, 'Downloading...' with the megabytes received and a Cancel button. */
export function ExportButton({ of: { name, start, cancel } }: { of: Export }) {
  const progress = useAtomValue(exportsAtom).get(name)
  const button = useRef<HTMLButtonElement>(null)
  const size = progress && `${(progress.bytes / 1_000_000).toFixed(1)} MB`
  const stop = () => {
    runHere(cancel)
    button.current?.focus()
  }
  return (
    <>
      {progress && (
        <>
          <span role="progressbar" aria-label={start.about} aria-valuetext={size}>
            {size}
          </span>
          <button type="button" data-command={cancel.id} onClick={stop}>
            Cancel
          </button>
        </>
      )}
      {/* The same element in both states, after the others, so that it stays under the pointer and keeps the focus. */}
      <button
        ref={button}
        type="button"
        data-command={start.id}
        aria-disabled={progress !== undefined}
        onClick={() => runHere(start)}
      >
        {progress ? 'Downloading...' : start.about}
      </button>
    </>
  )
}
