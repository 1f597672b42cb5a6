import { useAtomValue } from 'jotai'
import { useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { useHotkeys } from 'react-hotkeys-hook'
import { Link } from 'wouter'
import { refOf } from '../commands/command.ts'
import { contextAtom } from '../commands/context.ts'
import { relatedRows } from '../commands/find/record-rows.ts'
import { capitalised } from '../commands/find/row.ts'
import { activeRowAtom, peek, peekAtom, setPeek } from '../commands/peek.ts'
import { runHere } from '../commands/run-command.ts'
import { noValue } from '../format.ts'
import { focusFirstOf, holdsFocus, isFocusLost } from '../state/focus.ts'
import { refKey } from '../state/ref.ts'
import { wantRow } from '../state/wanted-row.ts'
import styles from './peek.module.css'
import { Modal } from './shell/modal.tsx'
import { isAction } from './table/column.ts'
import type { PeekProps } from './table/late-parts.ts'
import { CommandButton } from './ui/command-button.tsx'

/** How long the focus has to stay in a row until the address names it, in ms: browsers limit how often it may change. */
const pause = 200

/**
 * The panel of the focused row: beside the list, or over it in a small window. Another focused row takes its place. It shows
 * what the list was sent, so it makes no call.
 */
export function Peek<T extends object>({ noun, columns, rows }: PeekProps<T>) {
  const id = useAtomValue(peekAtom)
  const active = useAtomValue(activeRowAtom)
  const isWide = useSyncExternalStore(onResize, () => wide.matches)
  const named = (wanted: string) => rows?.find((one) => refOf(noun, one).id === wanted)
  // After a load the focused row is another object, which the table tells only after this was rendered.
  const focused = active ? refOf(noun, active).id : ''
  const row = id === '' ? undefined : (named(focused) ?? named(id))
  const shown = row ? refOf(noun, row).id : ''
  const key = refKey({ noun: noun.name, id: shown })
  const isFollowing = shown === focused
  useEffect(() => {
    if (shown === '') return
    // When a link is opened. Later, somebody may be typing when the record comes to the page.
    if (!isFollowing && (!isWide || isFocusLost())) wantRow(key)
    const timer = setTimeout(() => {
      if (shown !== id) setPeek(shown)
    }, pause)
    return () => clearTimeout(timer)
  }, [shown, key, id, isFollowing, isWide])
  const leave = () => {
    if (shown === '') focusFirstOf(document.querySelector('main'))
    else wantRow(key)
  }
  const close = () => setPeek('')
  useHotkeys('escape', (event) => !event.defaultPrevented && close(), {
    useKey: true,
    enabled: id !== '' && isWide,
  })
  const shell = document.querySelector('main')?.parentElement
  if (id === '' || rows === null || !shell) return null
  const title = row ? capitalised(noun.nameOf(row)) : `${capitalised(noun.singular)} ${id}`
  const content = row ? (
    <Record noun={noun} columns={columns} row={row} />
  ) : (
    <p>It is not on this page of the list.</p>
  )
  if (!isWide)
    return (
      <Modal open close={close} leave={leave} title={title} place="side">
        {content}
      </Modal>
    )
  return createPortal(
    <aside id="peek" tabIndex={-1} className={styles.panel} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <CloseButton leave={leave} />
      </header>
      {content}
    </aside>,
    shell,
  )
}

const wide = window.matchMedia('(min-width: 1024px)')

function onResize(render: () => void): () => void {
  wide.addEventListener('change', render)
  return () => wide.removeEventListener('change', render)
}

function CloseButton({ leave }: { leave: () => void }) {
  const latest = useRef(leave)
  useEffect(() => {
    latest.current = leave
  })
  // However the panel is closed: by this button, by a key, or by Back. It is still in the document here, with the focus.
  useLayoutEffect(
    () => () => {
      if (holdsFocus(document.getElementById('peek'))) latest.current()
    },
    [],
  )
  return (
    <button type="button" data-command={peek.id} onClick={() => runHere(peek)}>
      Close
    </button>
  )
}

interface RecordProps<T extends object> extends Omit<PeekProps<T>, 'rows'> {
  row: NonNullable<PeekProps<T>['rows']>[number]
}

/** The commands of a record, its fields as its list has them, and the lists of what belongs to it. */
function Record<T extends object>({ noun, columns, row }: RecordProps<T>) {
  const name = noun.nameOf(row)
  const lists = relatedRows({ noun, row }, '').filter(({ section }) => section === 'list')
  const context = useAtomValue(contextAtom)
  const own = { ...context, targets: [{ ref: refOf(noun, row), row }] }
  return (
    <>
      <div className={styles.actions}>
        {noun.commands
          .filter((command) => command.noun === noun.name)
          .map((command) => (
            <CommandButton
              key={command.id}
              command={command}
              noun={noun}
              row={row}
              label={command.title(own).replace(name, '').replace(/ of $/, '').trim()}
            />
          ))}
      </div>
      <dl className={styles.fields}>
        {columns
          .filter((column) => !isAction(column))
          .map((column) => {
            const exact = column.exact?.(row)
            return (
              <div key={column.id}>
                <dt>{column.header}</dt>
                <dd title={exact} data-none={exact === noValue}>
                  {column.cell(row) || '–'}
                </dd>
              </div>
            )
          })}
      </dl>
      {lists.length > 0 && (
        <nav aria-label={`Lists of ${name}`} className={styles.actions}>
          {lists.map(({ id, title, href = '' }) => (
            <Link key={id} href={href}>
              {title.replace(` of ${name}`, '')}
            </Link>
          ))}
        </nav>
      )}
    </>
  )
}
