import { Command as Cmdk } from 'cmdk'
import { getDefaultStore, useAtomValue } from 'jotai'
import { Dialog } from 'radix-ui'
import type { KeyboardEvent } from 'react'
import { useMemo, useState } from 'react'
import type { Driver } from '../../api/contract.ts'
import type { Row } from '../../api/loose.ts'
import type { Dialog as DialogState } from '../../state/dialog.ts'
import { dialogAtom, returnFocus } from '../../state/dialog.ts'
import { askedForAtom } from '../../state/session.ts'
import { navigate } from '../../state/location.ts'
import { openPalette } from '../../commands/app.ts'
import type { Command, Context } from '../../commands/command.ts'
import { isOffered, refOf, targetsOf } from '../../commands/command.ts'
import { contextAtom } from '../../commands/context.ts'
import { keysOf } from '../../commands/keymap.ts'
import { driver as noun } from '../../commands/nouns/driver.ts'
import { noteRun } from '../../commands/runs.ts'
import { refKey } from '../../state/ref.ts'
import { KeyHint } from '../ui/key-hint.tsx'
import { useRecordSearch } from '../ui/use-record-search.ts'
import type { Search } from '../ui/use-search.ts'
import styles from './palette.module.css'
import { rank } from './rank.ts'

/** Maximum number of rows in the list. */
const most = 20
/** Rows reserved for found drivers during a search, and the maximum that drivers get. */
const roomForFound = 5
const mostFound = 12
/** 150 ms sends no request in the middle of a typed word, and is too short to be noticed. */
const pace = { debounce: 150, least: 2 }

/** One row of the list, with the action that Enter or a click runs. */
interface Item {
  id: string
  title: string
  detail?: string
  keywords?: string
  keys?: string
  /** Why the command is disabled now. */
  reason?: string
  /** On a driver's row: Tab shows the commands for this driver. */
  driver?: Row<Driver>
  run(): void
}

/** The command palette. It is always mounted, so that it opens in the same frame as the key press. */
export function Palette({ commands }: { commands: readonly Command[] }) {
  const dialog = useAtomValue(dialogAtom)
  return (
    <Dialog.Root open={dialog?.kind === 'palette'} onOpenChange={(open) => !open && close()}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.overlay} onClick={close} />
        <Dialog.Content
          className={styles.content}
          aria-describedby={undefined}
          onCloseAutoFocus={returnFocus}
          onEscapeKeyDown={(event) => event.preventDefault()}
          onPointerDownOutside={(event) => event.preventDefault()}
        >
          <Dialog.Title className="visually-hidden">Command palette</Dialog.Title>
          {dialog?.kind === 'palette' && <PaletteBody commands={commands} dialog={dialog} />}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const close = () => getDefaultStore().set(dialogAtom, null)

function PaletteBody({
  commands,
  dialog,
}: {
  commands: readonly Command[]
  dialog: DialogState & { kind: 'palette' }
}) {
  const here = useAtomValue(contextAtom)
  const askedFor = useAtomValue(askedForAtom)
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState<{ driver: Row<Driver>; typed: string } | null>(null)
  const [highlight, setHighlight] = useState<{ id: string; query: string } | null>(null)

  const query = typed.trim()
  const recordOnly = chosen !== null || dialog.actionsOnly === true
  const search = useRecordSearch(noun, recordOnly ? '' : query, pace)
  const context = useMemo<Context>(
    () => (chosen ? { ...here, targets: targetsOf(noun, [chosen.driver]) } : here),
    [here, chosen],
  )

  const local = useMemo(() => {
    const offered = commands.filter(
      (command) =>
        command !== openPalette && (!recordOnly || command.noun !== undefined) && isOffered(command, context),
    )
    const items = offered.map((command) => commandItem(command, context))
    const suggestions = !recordOnly && !query && askedFor ? [askedForItem(askedFor)] : []
    return [...suggestions, ...rank(items, query)]
  }, [commands, context, recordOnly, query, askedFor])

  // Rows on screen do not move: found drivers appear below the commands, in rows reserved for them.
  const commandRows = local.slice(0, search.state === 'idle' ? most : most - roomForFound)
  const items = [
    ...commandRows,
    ...search.results.slice(0, Math.min(mostFound, most - commandRows.length)).map(driverItem),
  ]
  const moved = highlight?.query === query ? items.find((item) => item.id === highlight.id) : undefined
  const current = moved ?? items[0]

  const type = (value: string) => {
    setTyped(value)
    setHighlight(null)
  }
  const enter = (driver: Row<Driver>) => {
    setChosen({ driver, typed })
    type('')
  }
  const leave = () => {
    if (chosen) {
      type(chosen.typed)
      setChosen(null)
    } else close()
  }
  const run = (item: Item) => {
    if (item.reason) return
    close()
    item.run()
  }

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.nativeEvent.isComposing) return
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey
    if (event.key === 'Enter') {
      // cmdk accepts Enter with any modifier and on key repeat; only a single plain Enter may run the row on screen.
      event.preventDefault()
      const painted = items.find((item) => item.id === paintedId(event.currentTarget))
      if (plain && !event.repeat && painted) run(painted)
      else if (plain && !event.repeat && search.state === 'failed') search.retry()
    } else if (event.key === 'Tab') {
      event.preventDefault()
      const painted = items.find((item) => item.id === paintedId(event.currentTarget))
      if (plain && painted?.driver) enter(painted.driver)
    } else if (event.key === 'Escape') {
      event.preventDefault()
      leave()
    } else if (event.key === 'Backspace' && typed === '' && chosen) {
      event.preventDefault()
      leave()
    }
  }

  return (
    <Cmdk
      label="Commands"
      shouldFilter={false}
      vimBindings={false}
      loop
      disablePointerSelection
      value={current?.id ?? ''}
      onValueChange={(id) => setHighlight({ id, query })}
      onKeyDown={onKeyDown}
    >
      <div className={styles.input}>
        {chosen && <span className={styles.chosen}>{noun.nameOf(chosen.driver)}</span>}
        <Cmdk.Input
          value={typed}
          onValueChange={type}
          maxLength={200}
          placeholder={recordOnly ? 'What to do?' : 'Type a command, a driver’s name or phone number'}
        />
      </div>
      <Cmdk.List className={styles.list} aria-busy={search.state === 'searching'}>
        {items.map((item) => (
          <Cmdk.Item
            key={item.id}
            value={item.id}
            className={styles.item}
            disabled={item.reason !== undefined}
            onSelect={() => run(item)}
            // Rows that move under a resting mouse do not change the highlight. cmdk overrides onPointerMove.
            onMouseMove={({ movementX, movementY }) => {
              if (movementX || movementY) setHighlight({ id: item.id, query })
            }}
            data-id={item.id}
          >
            <span className={styles.title}>{item.title}</span>
            {(item.reason ?? item.detail) && (
              <span className={styles.detail}>{item.reason ?? item.detail}</span>
            )}
            {item.keys && <KeyHint keys={item.keys} />}
            {item.driver && current === item && <span className={styles.detail}>Tab: actions</span>}
          </Cmdk.Item>
        ))}
      </Cmdk.List>
      <Outcome search={search} empty={items.length === 0} />
    </Cmdk>
  )
}

/** The state of the driver search. A failed search shows a retry button, never "Nothing found". */
function Outcome({ search, empty }: { search: Search<Row<Driver>>; empty: boolean }) {
  return (
    <div className={styles.outcome} role="status">
      {search.state === 'searching' && 'Searching drivers…'}
      {search.state === 'failed' && (
        <button type="button" onClick={search.retry}>
          Driver search failed. Retry
        </button>
      )}
      {search.state === 'done' &&
        search.results.length === 0 &&
        (empty ? 'Nothing found' : 'No drivers found')}
      {search.state === 'idle' && empty && 'Nothing found'}
    </div>
  )
}

/** The id of the highlighted row in the document: the row on screen when the key was pressed. */
function paintedId(root: HTMLElement): string | undefined {
  return root.querySelector<HTMLElement>('[cmdk-item][aria-selected=true]')?.dataset['id']
}

function commandItem(command: Command, context: Context): Item {
  const enabled = command.enabled?.(context) ?? true
  const keys = keysOf(command)
  return {
    id: command.id,
    title: command.title(context),
    keywords: `${command.about} ${command.keywords ?? ''}`,
    ...(keys !== undefined && { keys }),
    ...(enabled !== true && { reason: enabled }),
    run: () => {
      noteRun(command, 'palette')
      void command.run(context)
    },
  }
}

function driverItem(driver: Row<Driver>): Item {
  return {
    id: refKey(refOf(noun, driver)),
    title: noun.nameOf(driver),
    detail: noun.describe?.(driver) ?? '',
    driver,
    run: () => navigate(noun.href?.(driver) ?? noun.path),
  }
}

function askedForItem(href: string): Item {
  return {
    id: 'session.continue',
    title: `Continue to ${href}`,
    run: () => {
      getDefaultStore().set(askedForAtom, null)
      navigate(href)
    },
  }
}
