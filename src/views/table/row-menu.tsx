import { atom, useAtomValue } from 'jotai'
import { DropdownMenu } from 'radix-ui'
import { memo, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import type { Command, Context } from '../../commands/command.ts'
import { isOffered, isRunnable, refOf, targetsOf } from '../../commands/command.ts'
import { contextAtom } from '../../commands/context.ts'
import { relatedRows } from '../../commands/find/record-rows.ts'
import { keysOfAtom } from '../../commands/keymap.ts'
import { listCommands } from '../../commands/list.ts'
import type { Noun } from '../../commands/noun.ts'
import { activeRowAtom, peek } from '../../commands/peek.ts'
import { runCommand } from '../../commands/run-command.ts'
import { selectionAtom } from '../../commands/selection.ts'
import { refKey } from '../../state/ref.ts'
import { KeyHint } from '../ui/key-hint.tsx'
import { ignoreTap } from '../ui/touch.ts'
import styles from './columns-menu.module.css'
import type { RowMenuProps } from './late-parts.ts'
import { ColumnItems } from './column-items.tsx'
import { useListedColumns } from './use-listed-columns.ts'
import { useMovedRows } from './use-moved-rows.ts'
import { useNarrow } from './use-narrow.ts'
import { useRowMouse } from './use-row-mouse.ts'

const { Root, Trigger, Content, Item, Separator } = DropdownMenu

const hasRowAtom = atom((get) => get(activeRowAtom) !== null)

/** The commands of a row, at the pointer or at the focused cell; on a header, those of its column. */
export const RowMenu = memo(function RowMenu({ noun, leave, ...columns }: RowMenuProps) {
  useListedColumns(columns)
  const [point, close] = useRowMouse()
  useMovedRows()
  /** What closed the menu: a press elsewhere, which has taken the focus, or a chosen item. */
  const end = useRef<{ isElsewhere?: true; run?: () => void }>({})
  const isOpen = point !== null
  const isNarrow = useNarrow()
  const hasRow = useAtomValue(hasRowAtom)
  /** Whether its row was on the screen. The list names the row that was right-clicked only after the menu was asked for. */
  const wasThere = useRef(false)
  useEffect(() => {
    // A load has removed the row.
    if (point?.place === 'row' && !hasRow && wasThere.current) close()
    wasThere.current = point?.place === 'row' && hasRow
  }, [point, hasRow, close])
  return (
    <Root modal={false} open={isOpen} onOpenChange={(open) => !open && close()}>
      {isOpen && (
        <Trigger asChild>
          <span aria-hidden className={styles.point} style={{ left: point.x, top: point.y }} />
        </Trigger>
      )}
      <Content
        className={styles.menu}
        aria-labelledby={undefined}
        aria-label={`Commands of the ${point?.place ?? 'row'}`}
        // Beside the point, a menu that finds no room on either side would reach out of the window; below, it is moved.
        side={isNarrow ? 'bottom' : 'right'}
        align="start"
        sideOffset={2}
        collisionPadding={8}
        onPointerDownOutside={(event) => {
          end.current = { isElsewhere: true }
          ignoreTap(event)
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault()
          const { isElsewhere = false, run } = end.current
          end.current = {}
          if (!isElsewhere) leave()
          // Only now, so that a dialog that it opens gives the focus back to the row.
          run?.()
        }}
      >
        {point?.place === 'column' ? (
          <ColumnItems item={Item} />
        ) : (
          <Items
            noun={noun}
            choose={(run) => {
              end.current = { run }
            }}
          />
        )}
      </Content>
    </Root>
  )
})

interface ItemsProps {
  noun: Noun
  /** Takes what is to be done when the menu is closed. */
  choose: (run: () => void) => void
}

function Items({ noun, choose }: ItemsProps) {
  const here = useAtomValue(contextAtom)
  const selection = useAtomValue(selectionAtom)
  const row = useAtomValue(activeRowAtom)
  if (!row) return null
  const isSelected = selection.has(refKey(refOf(noun, row)))
  // On a row beside the selection the menu is that of this row alone. Keys would act on the selection.
  const isAlone = selection.size > 0 && !isSelected
  const context = isAlone ? { ...here, targets: targetsOf(noun, [row]) } : here
  const entry = (command: Command) => (
    <Entry
      key={command.id}
      command={command}
      context={context}
      hasKeys={!isAlone || command.noun === undefined}
      choose={choose}
    />
  )
  const own = noun.commands.filter((command) => command.noun === noun.name && isOffered(command, context))
  const hasOpen = own.some(({ verbs }) => verbs?.includes('open'))
  const rest = ofRows.filter(
    (command) =>
      isOffered(command, context) &&
      !(hasOpen && command.id === 'list.open') &&
      // It would copy the selection.
      !(isAlone && command.id === 'list.copy'),
  )
  const related = context.targets.length === 1 ? relatedRows({ noun, row }, '') : []
  const lists = related.filter(({ section }) => section === 'list')
  return (
    <>
      {own.map(entry)}
      {own.length > 0 && <Separator className={styles.separator} />}
      {rest.map(entry)}
      {lists.length > 0 && <Separator className={styles.separator} />}
      {lists.map(({ id, title, href = '' }) => (
        <Item key={id} className={styles.choice} asChild>
          <Link href={href}>{title}</Link>
        </Item>
      ))}
    </>
  )
}

/** What can be done with every row. */
const ofRows = [
  ...listCommands.filter(({ id }) => id === 'list.open'),
  peek,
  ...listCommands.filter(({ id }) => ['list.select', 'list.copy'].includes(id)),
]

interface EntryProps extends Pick<ItemsProps, 'choose'> {
  command: Command
  context: Context
  /** Whether its keys do the same. */
  hasKeys: boolean
}

function Entry({ command, context, hasKeys, choose }: EntryProps) {
  const keys = useAtomValue(keysOfAtom)(command)
  const title = command.title(context)
  return (
    <Item
      className={styles.choice}
      data-command={command.id}
      disabled={!isRunnable(command, context)}
      // It asks as the key does: a menu is easier to miss than a button.
      onSelect={() => choose(() => runCommand(command, context, 'key'))}
    >
      {title}
      {hasKeys && keys !== undefined && (
        <span className={styles.keys} aria-hidden>
          <KeyHint keys={keys} />
        </span>
      )}
    </Item>
  )
}
