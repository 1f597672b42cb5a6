import { useAtomValue } from 'jotai'
import { Bookmark, Check } from 'lucide-react'
import type { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { isOffered } from '../../commands/command.ts'
import { contextAtom } from '../../commands/context.ts'
import { lateCommandsAtom } from '../../commands/late.ts'
import type { Noun } from '../../commands/noun.ts'
import { runHere } from '../../commands/run-command.ts'
import { currentViewAtom, savedViewsAtom, saveView } from '../../commands/views.ts'
import { Menu } from '../ui/menu.tsx'
import { MenuButton } from '../ui/menu-button.tsx'
import { useTrigger } from '../ui/trigger.ts'
import styles from './columns-menu.module.css'

/** The menu of a list's views: opens one, saves another one, and changes the one on screen. */
export function ViewsMenu({ noun }: { noun: Noun }) {
  const views = useAtomValue(savedViewsAtom)
  const current = useAtomValue(currentViewAtom)?.view.id
  const trigger = useTrigger()
  if (!views) return null
  const own = views.filter((view) => view.noun.path === noun.path)
  return (
    <>
      <MenuButton trigger={trigger} className={styles.trigger} aria-label="Views" title="Views">
        <Bookmark size={16} aria-hidden />
      </MenuButton>
      <Menu trigger={trigger} className={styles.menu}>
        {({ Item, Separator }) => (
          <>
            {own.map(({ id, name }) => (
              <Entry key={id} item={Item} command={`view.open${id}`} isCurrent={id === current}>
                {name}
              </Entry>
            ))}
            {own.length > 0 && <Separator className={styles.separator} />}
            <Entry item={Item} command={saveView.id}>
              Save view…
            </Entry>
            {current !== undefined &&
              changes.map(([verb, label]) => (
                <Entry key={verb} item={Item} command={`view.${verb}${current}`}>
                  {label}
                </Entry>
              ))}
          </>
        )}
      </Menu>
    </>
  )
}

/** What can be done with the view on screen. */
const changes = [
  ['update', 'Update view'],
  ['rename', 'Rename view…'],
  ['pin', 'Pin to the sidebar'],
  ['unpin', 'Unpin from the sidebar'],
  ['moveUp', 'Move up in the sidebar'],
  ['copyLink', 'Copy link'],
  ['delete', 'Delete view'],
] as const

interface EntryProps {
  item: (typeof DropdownMenu)['Item']
  /** The id of the command that it runs; absent where that is not offered. */
  command: string
  isCurrent?: boolean
  children: ReactNode
}

function Entry({ item: Item, command: id, isCurrent = false, children }: EntryProps) {
  const context = useAtomValue(contextAtom)
  const command = useAtomValue(lateCommandsAtom).find((one) => one.id === id)
  if (!command || !isOffered(command, context)) return null
  return (
    <Item
      className={styles.choice}
      data-command={id}
      aria-current={isCurrent ? 'true' : undefined}
      onSelect={() => runHere(command)}
    >
      <span className={styles.mark}>{isCurrent && <Check size={14} aria-hidden />}</span>
      {children}
    </Item>
  )
}
