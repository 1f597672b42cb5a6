import { ArrowLeft } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { getDefaultStore, useSetAtom } from 'jotai'
import type { ComponentType, ReactNode } from 'react'
import { useEffect } from 'react'
import { Link, useParams } from 'wouter'
import { capabilitiesAskedAtom } from '../api/config.ts'
import type { Row } from '../api/loose.ts'
import type { Command } from '../commands/command.ts'
import { targetsOf } from '../commands/command.ts'
import { targetsAtom } from '../commands/context.ts'
import { goCommand } from '../commands/go.ts'
import { termCommands } from '../commands/filters.ts'
import { capitalized, viewCommands } from '../commands/list.ts'
import type { Load } from '../commands/loads.ts'
import { listLoad, recordLoad } from '../commands/loads.ts'
import type { Noun } from '../commands/noun.ts'
import { isPlain, parseListQuery } from '../state/list.ts'
import styles from './screen.module.css'
import type { ListSpec } from './table/list-view.tsx'
import { ListView } from './table/list-view.tsx'
import { windowing } from './table/data-table.tsx'
import { wholeUpTo } from './table/row-window.ts'
import { Retry } from './ui/retry.tsx'
import { ScreenHeader } from './ui/screen-header.tsx'
import { blankColumns, TableSkeleton } from './table/table-skeleton.tsx'
import { useLoad } from './ui/use-load.ts'

/** One screen. The router, sidebar, palette, keys and help all read this declaration. */
export interface Screen {
  /** A route pattern of S2.a. */
  path: string
  title: string
  /** A screen with an icon is an entry of the side navigation. */
  icon?: LucideIcon
  /** The key sequence that opens the screen. */
  keys?: string
  /** Other names for it that people type, besides those of the noun that it lists. */
  words?: readonly string[]
  /** The commands for the records that it shows. */
  commands: readonly Command[]
  /**
   * What it loads first at an address, given the query string and the record's id in the path; null if it has to wait for
   * the capabilities of the server.
   */
  load: (search: string, id: string) => Load<object> | null
  /** Loads the code that it needs at an address beyond that of the first load. */
  loadCode?: (search: string) => void
  View: ComponentType
}

/** A screen that lists the records of a noun, with the columns or cards of its spec. */
export function listScreen<T extends object>(spec: ListSpec<T> & Pick<Screen, 'icon' | 'keys'>): Screen {
  const { noun, title, icon, keys, columns = [], extraCommands = [] } = spec
  return {
    path: noun.path,
    title,
    commands: [...noun.commands, ...extraCommands, ...viewCommands(noun, columns), ...termCommands(noun)],
    load: (search) => {
      const query = parseListQuery(search)
      const isReady = isPlain(query) || getDefaultStore().get(capabilitiesAskedAtom)
      return isReady ? listLoad(noun, query) : null
    },
    loadCode: (search) => {
      if (parseListQuery(search).size > wholeUpTo) void windowing.load()
    },
    ...(icon && { icon }),
    ...(keys && { keys }),
    View: () => <ListView spec={spec} />,
  }
}

/** What differs between the screens of single records. */
interface RecordSpec<T extends object> {
  /** Must have a call that loads one record. */
  noun: Noun<T>
  /** The route pattern; its one parameter is the record's id. */
  path: string
  title: string
  /** Maximum width, in rem. */
  width: number
  /** Columns of the placeholder that is shown while it loads. */
  columns: number
  /** Commands of the screen, in addition to those of the record. */
  extraCommands?: readonly Command[]
  /** Buttons next to the title. */
  actions?: (row: Row<T>) => ReactNode
  body: (row: Row<T>, id: string) => ReactNode
}

/** The screen of one record of a noun. */
export function recordScreen<T extends object>(spec: RecordSpec<T>): Screen {
  const { noun, path, title, extraCommands = [] } = spec
  if (noun.calls.one === undefined) throw new Error(`There is no call that loads a single ${noun.singular}.`)
  return {
    path,
    title,
    commands: [...noun.commands.filter((command) => command.noun), ...extraCommands],
    load: (_search, id) => recordLoad(noun, id),
    View: () => <RecordView spec={spec} />,
  }
}

function RecordView<T extends object>({ spec }: { spec: RecordSpec<T> }) {
  const { noun, title, width, columns, actions, body } = spec
  const [id = ''] = Object.values(useParams())
  const setTargets = useSetAtom(targetsAtom)
  const { data, isFailed, isRepeating, retry } = useLoad(recordLoad(noun, id))
  useEffect(() => {
    setTargets(data ? targetsOf(noun, [data]) : [])
    return () => setTargets([])
  }, [noun, data, setTargets])
  return (
    <div
      className={styles.record}
      style={{ maxInlineSize: `${width}rem` }}
      data-stale={isFailed && data !== undefined}
    >
      <ScreenHeader
        title={title}
        tab={[...(data ? [noun.nameOf(data)] : []), capitalized(noun.plural)].join(' · ')}
        back={
          <Link href={noun.path} className="button">
            <ArrowLeft size={16} aria-hidden /> Back
          </Link>
        }
      >
        {data && actions?.(data)}
      </ScreenHeader>
      {isFailed && <Retry busy={isRepeating} retry={retry} />}
      {!data && !isFailed && <TableSkeleton columns={blankColumns(columns)} />}
      {data && body(data, id)}
    </div>
  )
}

/** The commands of all screens, each once. */
export const recordCommands = (screens: readonly Screen[]): Command[] => [
  ...new Set(screens.flatMap(({ commands }) => commands)),
]

/** For each screen of the side navigation, the command that opens it. */
export const goCommands = (screens: readonly Screen[]): Command[] =>
  screens.filter(({ icon }) => icon).map(goCommand)
