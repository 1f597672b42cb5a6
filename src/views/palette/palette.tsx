import { Command as Cmdk } from 'cmdk'
import { getDefaultStore, useAtomValue } from 'jotai'
import type { LucideIcon } from 'lucide-react'
import { Dialog } from 'radix-ui'
import type { KeyboardEvent } from 'react'
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { openPalette } from '../../commands/app.ts'
import type { Command, Context } from '../../commands/command.ts'
import { targetsOf } from '../../commands/command.ts'
import { contextAtom } from '../../commands/context.ts'
import { copyText } from '../../commands/clipboard.ts'
import { linkTo } from '../../commands/find/links.ts'
import { rowsAtFirst } from '../../commands/find/first.ts'
import { familiarity, noteUse } from '../../commands/find/memory.ts'
import { requestsFor } from '../../commands/find/asking.ts'
import { relatedRows } from '../../commands/find/record-rows.ts'
import type { NounRow, PaletteRow } from '../../commands/find/row.ts'
import { openRow } from '../../commands/find/row.ts'
import { prepareWords, rowsFor } from '../../commands/find/rows.ts'
import { requestKey } from '../../commands/find/search.ts'
import type { Vocabulary } from '../../commands/find/sentence.ts'
import { patience } from '../../commands/find/slots.ts'
import { wordsOf } from '../../commands/find/words.ts'
import { keyOf } from '../../commands/keys.ts'
import { allNouns, nounOf } from '../../commands/noun.ts'
import { runCommand } from '../../commands/run-command.ts'
import { countRun } from '../../commands/run-counts.ts'
import type { Dialog as DialogState } from '../../state/dialog.ts'
import { closeDialog, returnFocus } from '../../state/dialog.ts'
import { parseListQuery } from '../../state/list.ts'
import { locationAtom } from '../../state/location.ts'
import type { RowActions } from './item.tsx'
import { Item } from './item.tsx'
import styles from './palette.module.css'
import { Chip, Footer, Outcome } from './surroundings.tsx'
import { useFound } from './use-found.ts'
import type { Shown } from './use-places.ts'
import { useLate, usePlaces, useSeenFirst } from './use-places.ts'
import { followVisibleHeight } from './visible-height.ts'
import { useDialog } from '../ui/use-dialog.ts'

export interface PaletteProps {
  commands: readonly Command[]
  /** By the name of the noun, and by the id of the command that opens a screen. */
  icons: ReadonlyMap<string, LucideIcon>
  /** Loads what the screen at an address shows first. */
  prefetch: (path: string, search: string) => Promise<void>
}

/** The command palette. It is always mounted, so that it opens in the same frame as the key press. */
export function Palette({ commands, ...props }: PaletteProps) {
  const dialog = useDialog('palette')
  // The same each time that the palette opens, because its words are prepared.
  const vocabulary = useMemo<Vocabulary>(
    () => ({ commands: commands.filter((command) => command !== openPalette), nouns: allNouns() }),
    [commands],
  )
  useEffect(() => prepareWords(vocabulary), [vocabulary])
  return (
    <Dialog.Root open={dialog !== null} onOpenChange={(open) => !open && closeDialog()}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.overlay} onClick={closeDialog} />
        <Dialog.Content
          ref={followVisibleHeight}
          className={styles.content}
          aria-describedby={undefined}
          onOpenAutoFocus={focusAtEnd}
          onCloseAutoFocus={returnFocus}
          onEscapeKeyDown={(event) => event.preventDefault()}
          onPointerDownOutside={(event) => event.preventDefault()}
        >
          <Dialog.Title className="visually-hidden">Command palette</Dialog.Title>
          {dialog && <PaletteBody {...props} dialog={dialog} everything={vocabulary} />}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** How long a row is highlighted until what it opens is loaded, in milliseconds: keys that are typed at speed change it sooner. */
const resting = 100

/** Radix would select the text that is there already, and the next key would replace it. */
function focusAtEnd(event: Event): void {
  event.preventDefault()
  const input = event.target instanceof Element ? event.target.querySelector('input') : null
  input?.focus()
  input?.setSelectionRange(input.value.length, input.value.length)
}

/** The row that a key or the pointer highlighted, while the query is the same. */
interface Highlight {
  id: string
  query: string
  isPointed: boolean
}

interface PaletteBodyProps extends Omit<PaletteProps, 'commands'> {
  dialog: DialogState & { kind: 'palette' }
  everything: Vocabulary
}

function PaletteBody({ icons, prefetch, dialog, everything }: PaletteBodyProps) {
  const here = useAtomValue(contextAtom)
  const { typed: ahead = '' } = dialog
  const [typed, setTyped] = useState(ahead)
  const [taken, setTaken] = useState(ahead)
  const [chosen, setChosen] = useState<(NounRow & { typed: string }) | null>(null)
  const [hasContext, setHasContext] = useState(true)
  const [highlight, setHighlight] = useState<Highlight | null>(null)
  const isMoving = useRef(false)
  const own = useId()

  const query = typed.trim()
  const recordOnly = chosen !== null || dialog.actionsOnly === true
  const context = useMemo<Context>(
    () =>
      chosen
        ? { ...here, targets: targetsOf(chosen.noun, [chosen.row]) }
        : hasContext
          ? here
          : { ...here, targets: [] },
    [here, chosen, hasContext],
  )
  const vocabulary = useMemo(
    () =>
      recordOnly
        ? {
            commands: everything.commands.filter((command) =>
              context.targets.some(({ ref }) => ref.noun === command.noun),
            ),
            nouns: [],
          }
        : everything,
    [everything, recordOnly, context],
  )
  const asked = useMemo(
    () => (recordOnly ? [] : requestsFor(query, vocabulary)),
    [recordOnly, query, vocabulary],
  )
  const search = useFound(asked)
  const isLate = useLate(query, patience)
  const { answers } = search
  const rows = useMemo(() => {
    if (!query && !recordOnly) return rowsAtFirst(vocabulary.commands, context)
    const found = rowsFor({ typed: query, context, vocabulary, answers, familiarity: familiarity() })
    const [target, ...others] = context.targets
    const single = recordOnly && target && others.length === 0 ? target : null
    const related = single ? relatedRows({ noun: nounOf(single.ref.noun), row: single.row }, query) : []
    return [...found, ...related]
  }, [query, context, vocabulary, answers, recordOnly])

  const { slots, lead } = usePlaces(rows, `${query} ${String(recordOnly)} ${String(hasContext)}`, {
    isSearching: search.state === 'searching',
    isLate,
    best: Math.max(
      0,
      ...asked.filter(({ request }) => !answers.has(requestKey(request))).map(({ best }) => best),
    ),
  })
  const rowWith = (id: string | null | undefined) => slots.find((slot) => slot?.id === id) ?? undefined
  const current = (highlight?.query === query ? rowWith(highlight.id) : undefined) ?? rowWith(lead)
  const words = useMemo(() => wordsOf(query), [query])
  const shown = useSeenFirst(slots, words)
  const isBusy = search.state === 'searching' || !shown.isWhole
  const next = query || highlight ? current?.href : undefined
  useEffect(() => {
    if (next === undefined) return
    const [path = '', search = ''] = next.split('?')
    const { s, name, phone } = parseListQuery(search)
    // A search for a text can be slow on the server, and for most of them nobody presses Enter.
    if (s || name || phone) return
    // The rows on screen may be what a command is about to act on.
    const here = getDefaultStore().get(locationAtom)
    if (path === here.path && search === here.search) return
    const timer = setTimeout(() => void prefetch(path, search), resting)
    return () => clearTimeout(timer)
  }, [next, prefetch])

  const type = (value: string) => {
    setTyped(value)
    setHighlight(null)
  }
  // Keys can still come outside of the text field after it is rendered, until it has the focus.
  if (taken !== ahead) {
    setTaken(ahead)
    if (ahead.startsWith(taken)) type(typed + ahead.slice(taken.length))
    else if (taken.startsWith(ahead)) type(typed.slice(0, -1))
  }
  const enter = (record: NounRow) => {
    setChosen({ ...record, typed })
    type('')
  }
  const leave = () => {
    if (chosen) {
      type(chosen.typed)
      setChosen(null)
    } else closeDialog()
  }
  /** Drops the record that the commands act on. */
  const drop = () => {
    if (chosen) leave()
    else if (!dialog.actionsOnly) setHasContext(false)
  }
  const run = (row: PaletteRow, isNewTab = false) => {
    if (row.reason !== undefined) return
    if (row.completes !== undefined) {
      type(row.completes)
      return
    }
    const { id, title, detail = '', noun = '', href = '' } = row
    // Before the next screen is rendered: the browser computes a layout when the focused text field is removed, which would include all rows of that screen.
    // A command may open a dialog, which then gives the focus back to where it was before the palette.
    if (href) flushSync(closeDialog)
    else closeDialog()
    // A command is known by its id: without it, such as after a view was deleted, the row is not offered again.
    noteUse({ id, title, detail, noun, href: row.command ? '' : href })
    if (isNewTab && href) window.open(href, '_blank', 'noopener')
    else if (row.command) {
      const { command, context } = row.command
      countRun(command)
      runCommand(command, context, 'palette')
    } else openRow(row)
  }
  const actions = useRef<RowActions>({ run, enter, point: () => undefined })
  useLayoutEffect(() => {
    actions.current = { run, enter, point: ({ id }) => setHighlight({ id, query, isPointed: true }) }
  })
  const currentId = current && `${own}${String(slots.indexOf(current))}`
  const isPointed = highlight?.query === query && highlight.isPointed
  // cmdk scrolls to the row that was highlighted before: it looks for the new one before its element says so.
  useLayoutEffect(() => {
    if (currentId !== undefined && !isPointed)
      document.getElementById(currentId)?.scrollIntoView({ block: 'nearest' })
  }, [currentId, isPointed, query])
  const painted = (root: HTMLElement) => rowWith(paintedId(root))

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const hasModifier = event.altKey || event.shiftKey
    const isMod = event.ctrlKey || event.metaKey
    const plain = !isMod && !hasModifier
    isMoving.current = /^(Arrow(Up|Down)|Home|End)$/.test(event.key)
    // They go to the last row, also in the frame in which those out of sight are not rendered yet.
    if (/^(ArrowUp|End)$/.test(event.key) && !shown.isWhole) shown.complete()
    if (event.key === 'Enter') {
      // cmdk accepts Enter with any modifier and on key repeat; only a single Enter may run the row on screen.
      event.preventDefault()
      const row = painted(event.currentTarget)
      if (event.repeat || event.altKey) return
      if (search.state === 'failed' && !isMod && (event.shiftKey || !row)) search.retry()
      else if (event.shiftKey) return
      else if (row && plain) run(row)
      else if (row?.href !== undefined) run(row, true)
    } else if (event.key === 'Tab') {
      event.preventDefault()
      const row = painted(event.currentTarget)
      if (plain && row?.record) enter(row.record)
      else if (plain && row?.completes !== undefined) type(row.completes)
    } else if (keyOf(event.nativeEvent) === 'mod+shift+c') {
      event.preventDefault()
      const row = painted(event.currentTarget)
      if (row) void copyLink(row)
    } else if (event.key === 'Escape') {
      event.preventDefault()
      leave()
    } else if (event.key === 'Backspace' && typed === '') {
      event.preventDefault()
      // Holding the key to delete the text ends where the text ends.
      if (!event.repeat) drop()
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
      onValueChange={(id) => {
        // cmdk also marks a row of its own choice when rows come; only a key moves the highlight.
        if (isMoving.current) setHighlight({ id, query, isPointed: false })
        isMoving.current = false
      }}
      onKeyDown={onKeyDown}
      // The focus, and with it the keys and a soft keyboard, stays with the text field.
      onMouseDown={(event) => {
        if (!(event.target instanceof HTMLInputElement)) event.preventDefault()
      }}
    >
      <div className={styles.input}>
        <Chip
          context={context}
          name={chosen ? chosen.noun.nameOf(chosen.row) : undefined}
          id={`${own}chip`}
          drop={drop}
        />
        {/* cmdk is not told the text: it would select the first row that is not disabled whenever the text changes. */}
        <Cmdk.Input asChild value="">
          <input
            value={typed}
            onChange={(event) => type(event.target.value)}
            maxLength={200}
            placeholder={recordOnly ? 'What to do?' : 'Type a command, a name, a number or a plate'}
            {...((chosen ?? context.targets.length > 0) && { 'aria-describedby': `${own}chip` })}
            // cmdk names the active option only after an arrow key, not when the rows of another query are painted.
            aria-activedescendant={currentId}
          />
        </Cmdk.Input>
      </div>
      <Cmdk.List label="Results" className={styles.list} aria-busy={isBusy}>
        {runsOf(shown.places).map(({ section, at, places }) =>
          section === null ? (
            places.map((_room, place) => (
              <div key={`room ${String(at + place)}`} className={styles.room} aria-hidden />
            ))
          ) : (
            <div key={`group ${String(at)}`} role="group" aria-label={sectionNames[section]}>
              {places.map(
                ({ slot: row, words }, place) =>
                  row && (
                    // By its place: a key shows other rows, and to change an element takes less time than to replace it.
                    <Item
                      key={at + place}
                      row={row}
                      id={`${own}${String(at + place)}`}
                      words={words}
                      icon={icons.get(row.id) ?? icons.get(row.noun ?? '')}
                      actions={actions}
                    />
                  ),
              )}
            </div>
          ),
        )}
      </Cmdk.List>
      <Outcome search={search} count={query ? slots.filter(Boolean).length : null} />
      <Footer row={current} isChosen={chosen !== null} isFailed={search.state === 'failed'} />
    </Cmdk>
  )
}

const sectionNames = { command: 'Commands', screen: 'Screens', list: 'Lists', record: 'Records' }

interface Run {
  /** Null for room that is kept. */
  section: PaletteRow['section'] | null
  /** The place of the first one. */
  at: number
  places: Shown[]
}

/** The places in their order, neighbours of one section together: each run is a group for screen readers. */
function runsOf(shown: readonly Shown[]): Run[] {
  const runs: Run[] = []
  for (const [at, place] of shown.entries()) {
    const section = place.slot?.section ?? null
    const last = runs.at(-1)
    if (last?.section === section) last.places.push(place)
    else runs.push({ section, at, places: [place] })
  }
  return runs
}

/** Copies the address of a record or a list, or one that opens the palette with the command filled in. */
function copyLink({ href, command, title }: PaletteRow): Promise<void> {
  const link = href ?? (command ? linkTo(command.command, command.context) : '/')
  return copyText(`Copy link: ${title}`, window.location.origin + link)
}

/** The id of the highlighted row in the document: the row on screen when the key was pressed. */
function paintedId(root: HTMLElement): string | undefined {
  return root.querySelector<HTMLElement>('[cmdk-item][aria-selected=true]')?.dataset['id']
}
