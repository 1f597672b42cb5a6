import { keepPreviousData } from '@tanstack/react-query'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import type { ReactNode } from 'react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { capabilitiesAskedAtom, capabilitiesAtom } from '../../api/config.ts'
import { list } from '../../api/client.ts'
import type { Row } from '../../api/loose.ts'
import type { Command } from '../../commands/command.ts'
import { refOf, targetsOf } from '../../commands/command.ts'
import { targetsAtom } from '../../commands/context.ts'
import { listHandleAtom, sortBy } from '../../commands/list.ts'
import type { Noun } from '../../commands/noun.ts'
import { busyAtom, faultsAtom } from '../../commands/run.ts'
import { navigate } from '../../state/location.ts'
import { defaultSize, listQueryAtom } from '../../state/list.ts'
import { refKey } from '../../state/ref.ts'
import { settingsAtom } from '../../state/settings.ts'
import { firstRow, wantRow } from '../../state/wanted-row.ts'
import { CardGrid } from './card-grid.tsx'
import { ColumnsMenu } from './columns-menu.tsx'
import type { Column } from './column.ts'
import type { TableHandle } from './data-table.tsx'
import { DataTable } from './data-table.tsx'
import styles from './list-view.module.css'
import { Pager } from './pager.tsx'
import { Retry } from '../ui/retry.tsx'
import { ScreenHeader } from '../ui/screen-header.tsx'
import { SearchForm } from './search-form.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useLatest } from './use-latest.ts'
import { useLoad } from '../ui/use-load.ts'

/** Everything that tells one list from another. */
export interface ListSpec<T extends object> {
  noun: Noun<T>
  title: string
  /** What a row of the table shows. */
  columns?: readonly Column<Row<T>>[]
  /** Cards instead of a table: what one shows. */
  card?: (row: Row<T>) => ReactNode
  empty: string
  /** S2.f.3, S2.m.4: a word while the first answer is on its way. */
  loading?: string
  /** Of the screen, beside those of the records. */
  extraCommands?: readonly Command[]
  /** Expired rows: shown dimmed. */
  isPast?: (row: Row<T>) => boolean
  /** Buttons beside the title. */
  actions?: ReactNode
}

/** The one list view: title, search, table, pager, and the states between. */
export function ListView<T extends object>({ spec }: { spec: ListSpec<T> }) {
  const { noun } = spec
  const { path } = noun
  const [query, setQuery] = useAtom(listQueryAtom)
  const setTargets = useSetAtom(targetsAtom)
  const { page_size, ordering } = useAtomValue(capabilitiesAtom)
  const { hidden } = useAtomValue(settingsAtom)
  const areCapabilitiesKnown = useAtomValue(capabilitiesAskedAtom)
  const busy = useAtomValue(busyAtom)
  const faults = useAtomValue(faultsAtom)
  const searchInput = useRef<HTMLInputElement>(null)
  const {
    data: answer,
    isPlaceholderData,
    isFailed,
    isFetching,
    retry,
  } = useLoad({
    queryKey: [noun.name, 'list', query],
    queryFn: async ({ signal }) => ({ ...(await list<T>(noun.calls, query, signal)), asked: query }),
    placeholderData: keepPreviousData,
    // Only what goes beyond the specification has to wait for what the server takes.
    enabled: areCapabilitiesKnown || (query.size === defaultSize && !query.ordering),
  })
  const data = useLatest(answer)
  const totalPages = data?.totalPages ?? 0
  const goTo = (page: number) => setQuery({ page })

  // A page beyond the end became the last page: the URL follows (rulings, lists).
  const answered = answer && !isPlaceholderData ? answer.page : query.page
  // An earlier answer, or one that is about to be corrected, says nothing about what was asked for.
  const isEmpty = answer?.results.length === 0 && !isPlaceholderData && answered === query.page
  const hasRows = data !== undefined && data.results.length > 0
  useEffect(() => {
    if (answered !== query.page) setQuery({ page: answered }, { replace: true })
  }, [answered, query.page, setQuery])

  const rowKey = useCallback((row: Row<T>) => refKey(refOf(noun, row)), [noun])
  // A selection belongs to one page of one query.
  const asked = JSON.stringify(data?.asked)
  const [selection, setSelection] = useState({ asked, ids: nothing })
  const ids = selection.asked === asked ? selection.ids : nothing
  const selected = useMemo(
    () => data?.results.filter((row) => ids.has(rowKey(row))) ?? [],
    [data, ids, rowKey],
  )
  const active = useRef<Row<T> | null>(null)
  const onActive = useCallback(
    (row: Row<T> | null) => {
      active.current = row
      const rows = selected.length || !row ? selected : [row]
      setTargets(targetsOf(noun, rows))
    },
    [setTargets, noun, selected],
  )
  const table = useRef<TableHandle | null>(null)
  const setHandle = useSetAtom(listHandleAtom)
  useEffect(() => {
    setHandle({
      move: (by) => table.current?.move(by),
      open: () => table.current?.open(),
      search: noun.search ? () => focusAndSelect(searchInput.current) : null,
      // As it is when a key is pressed: the table knows its focused row alone.
      get rows() {
        return table.current?.rows ? { ...table.current.rows, selected: selected.length } : null
      },
      previousPage: query.page > 1 ? query.page - 1 : null,
      nextPage: query.page < totalPages ? query.page + 1 : null,
      goTo,
    })
    return () => setHandle(null)
  })

  const columns = useMemo(
    () => spec.columns?.filter(({ id }) => !hidden[spec.noun.path]?.includes(id)) ?? [],
    [spec, hidden],
  )
  const rows = {
    label: spec.title,
    rows: data?.results ?? [],
    rowId: rowKey,
    stale: isPlaceholderData || isFailed,
    marks: (row: Row<T>) => ({
      busy: busy.has(rowKey(row)),
      fault: faults.has(rowKey(row)),
      past: spec.isPast?.(row) ?? false,
    }),
    onActive,
    ref: table,
  }

  return (
    <div role="region" aria-label={spec.title} tabIndex={-1} className={styles.list}>
      <ScreenHeader title={spec.title}>
        {noun.search && (
          <SearchForm
            ref={searchInput}
            placeholder={noun.search.placeholder}
            value={query[noun.search.parameter]}
            submit={(value) => {
              setQuery({ [noun.search?.parameter ?? 's']: value, page: 1 })
              wantRow(firstRow)
            }}
            leave={() => table.current?.move(0)}
          />
        )}
        {spec.actions}
        {spec.columns && <ColumnsMenu path={path} columns={spec.columns} />}
      </ScreenHeader>
      {hasRows && spec.card && <CardGrid key={asked} {...rows} card={spec.card} />}
      {hasRows && spec.columns && (
        <DataTable
          key={asked}
          {...rows}
          columns={columns}
          sort={{
            ordering: query.ordering,
            can: (field) => ordering[noun.calls.collection]?.includes(field) ?? false,
            by: sortBy,
          }}
          selected={ids}
          onSelect={(next) => setSelection({ asked, ids: next })}
          offset={(data.page - 1) * data.asked.size}
          total={data.count}
          open={(row) => {
            const href = noun.href?.(row)
            if (href) navigate(href)
          }}
        />
      )}
      {!hasRows && !isEmpty && !isFailed && (
        <Skeleton columns={spec.columns?.length ?? 3} {...(spec.loading && { word: spec.loading })} />
      )}
      {isEmpty && !isFailed && <p className={styles.empty}>{spec.empty}</p>}
      {isFailed && <Retry busy={isFetching} retry={retry} />}
      <Pager
        of={spec.title}
        page={data?.page ?? query.page}
        totalPages={data?.totalPages ?? null}
        onPage={goTo}
        count={data?.count ?? null}
        {...(page_size && {
          size: { value: query.size, onSize: (size: number) => setQuery({ size, page: 1 }) },
        })}
      >
        {selected.length > 0 && (
          <SelectionBar
            count={selected.length}
            commands={noun.commands}
            targets={targetsOf(noun, selected)}
            clear={() => setSelection({ asked, ids: nothing })}
          />
        )}
      </Pager>
    </div>
  )
}

const nothing: ReadonlySet<string> = new Set()

/** Selecting alone moves the focus in some browsers only. */
function focusAndSelect(input: HTMLInputElement | null): void {
  input?.focus()
  input?.select()
}
