import { keepPreviousData } from '@tanstack/react-query'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import type { ReactNode } from 'react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { capabilitiesAskedAtom, capabilitiesAtom } from '../../api/config.ts'
import type { Row } from '../../api/loose.ts'
import type { Command } from '../../commands/command.ts'
import { refOf, targetsOf } from '../../commands/command.ts'
import { targetsAtom } from '../../commands/context.ts'
import { listedAtom, listHandleAtom, sortBy, sortId } from '../../commands/list.ts'
import { listLoad } from '../../commands/loads.ts'
import type { Noun } from '../../commands/noun.ts'
import { activeRowAtom, peekAt } from '../../commands/peek.ts'
import { busyAtom, faultsAtom } from '../../commands/run.ts'
import { clearSelection } from '../../commands/selection.ts'
import { focusFirstOf } from '../../state/focus.ts'
import { navigate } from '../../state/location.ts'
import { columnsKeyAtom, isPlain, listQueryAtom, withParameters } from '../../state/list.ts'
import { refKey } from '../../state/ref.ts'
import { settingsAtom } from '../../state/settings.ts'
import { firstRow, wantRow } from '../../state/wanted-row.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import type { Column } from './column.ts'
import type { TableHandle } from './data-table.tsx'
import { DataTable, windowing } from './data-table.tsx'
import styles from './list-view.module.css'
import { FilterChips } from './filter-chips.tsx'
import { FilterMenu } from './filter-menu.tsx'
import { latePartsAtom } from './late-parts.ts'
import { Pager } from './pager.tsx'
import { deferred } from '../ui/deferred.tsx'
import { Retry } from '../ui/retry.tsx'
import { ScreenHeader } from '../ui/screen-header.tsx'
import { SearchForm } from './search-form.tsx'
import { wholeUpTo } from './row-window.ts'
import { TableSkeleton } from './table-skeleton.tsx'
import { useLatest } from './use-latest.ts'
import { useListSelection } from './use-list-selection.ts'
import { useLoad } from '../ui/use-load.ts'

/** The declaration of a list. */
export interface ListSpec<T extends object> {
  noun: Noun<T>
  title: string
  /** The columns of the table. */
  columns?: readonly Column<Row<T>>[]
  /** The content of a card, for a list of cards instead of a table. */
  card?: (row: Row<T>) => ReactNode
  empty: string
  /** S2.f.3, S2.m.4: a text that is shown until the first answer is received. */
  loading?: string
  /** Commands of the screen, in addition to those of the records. */
  extraCommands?: readonly Command[]
  /** The rows of the table are twice as high, and texts wrap in small type. */
  isTall?: true
  /** Expired rows: shown dimmed. */
  isPast?: (row: Row<T>) => boolean
  /** Buttons next to the title. */
  actions?: ReactNode
}

/** Its code is loaded with the first list of cards. */
export const cards = deferred(() => import('./card-grid.tsx'), {
  fallback: () => <TableSkeleton columns={[]} />,
})

/** The view of all lists: title, search, table, pager, and the loading, empty and failed states. */
export function ListView<T extends object>({ spec }: { spec: ListSpec<T> }) {
  const { noun } = spec
  const { path } = noun
  const [query, setQuery] = useAtom(listQueryAtom)
  const setTargets = useSetAtom(targetsAtom)
  const setActiveRow = useSetAtom(activeRowAtom)
  const { page_size, ordering, search, views } = useAtomValue(capabilitiesAtom)
  const settings = useAtomValue(settingsAtom)
  const columnsKey = useAtomValue(columnsKeyAtom)
  const [hidden, order] = [settings.hidden[columnsKey], settings.order[columnsKey]]
  const areCapabilitiesKnown = useAtomValue(capabilitiesAskedAtom)
  const busy = useAtomValue(busyAtom)
  const faults = useAtomValue(faultsAtom)
  const parts = useAtomValue(latePartsAtom)
  const searchInput = useRef<HTMLInputElement>(null)
  /** Whether the search of a list without a search box (S2) is open. */
  const [isSearching, setSearching] = useState(false)
  useEffect(() => {
    if (isSearching) focusAndSelect(searchInput.current)
  }, [isSearching])
  const {
    data: answer,
    isPlaceholderData,
    isFailed,
    isRepeating,
    retry,
  } = useLoad({
    ...listLoad(noun, query),
    placeholderData: keepPreviousData,
    enabled: areCapabilitiesKnown || isPlain(query),
    // Whether a row is past depends on the time too. So such a list is rendered again by a load that brings the same rows.
    ...(spec.isPast && { notifyOnChangeProps: 'all' }),
  })
  const data = useLatest(answer)
  /** The list has the name of a saved view, or a button that saves it as one. Their code comes later. */
  const isNarrowed = withParameters('', { ...query, page: 1 }) !== '' || columnsKey !== path
  const isLong = query.size > wholeUpTo
  useEffect(() => {
    if (isLong) void windowing.load()
    if (spec.card) void cards.load()
  }, [isLong, spec])
  const totalPages = data?.totalPages ?? null
  const count = data?.count ?? null
  const goTo = (page: number) => setQuery({ page })

  // The server answers a page beyond the end with the last page: correct the URL (rulings, lists).
  const answered = answer && !isPlaceholderData ? answer.page : query.page
  // Do not show "empty" for an earlier answer, or for a page number that is being corrected.
  const isEmpty = answer?.results.length === 0 && !isPlaceholderData && answered === query.page
  const hasRows = data !== undefined && data.results.length > 0
  useEffect(() => {
    if (answered !== query.page) setQuery({ page: answered }, { replace: true })
  }, [answered, query.page, setQuery])

  const rowKey = useCallback((row: Row<T>) => refKey(refOf(noun, row)), [noun])
  const asked = JSON.stringify(data?.asked)
  const { selected, targets, elsewhere, rowsOnPage, onSelect } = useListSelection(noun, data)
  const hasSelection = targets.length > 0
  const onActive = useCallback(
    (row: Row<T> | null) => {
      setActiveRow(row)
      if (!hasSelection) setTargets(row ? targetsOf(noun, [row]) : [])
    },
    [setTargets, setActiveRow, noun, hasSelection],
  )
  useEffect(() => {
    if (!hasSelection) return
    setTargets(targets)
    // Also when the list leaves the screen. Otherwise a command of the next screen would act on them.
    return () => setTargets([])
  }, [setTargets, targets, hasSelection])
  const region = useRef<HTMLDivElement>(null)
  const table = useRef<TableHandle | null>(null)
  const setHandle = useSetAtom(listHandleAtom)
  useEffect(() => {
    setHandle({
      move: (by) => table.current?.move(by),
      open: () => table.current?.open(),
      search: () => {
        setSearching(true)
        focusAndSelect(searchInput.current)
      },
      // Read when a key is pressed, because only the table knows its focused row.
      get rows() {
        return table.current?.rows ? { ...table.current.rows, selected: selected.size } : null
      },
      previousPage: query.page > 1 ? query.page - 1 : null,
      nextPage: query.page < (totalPages ?? 0) ? query.page + 1 : null,
      goTo,
    })
    return () => setHandle(null)
  })

  const submit = (value: string) => {
    const { parameter = 's', of = null } = noun.search ?? {}
    setQuery({ ...((search && of?.(value)) || { [parameter]: value }), page: 1 })
    // From now on it is shown for its text, until Back takes that away.
    setSearching(false)
    wantRow(firstRow)
  }
  const toTable = useCallback(() => table.current?.move(0), [])
  const leaveSearch = () => (table.current ? table.current.move(0) : focusFirstOf(region.current))

  const setListed = useSetAtom(listedAtom)
  useEffect(() => {
    setListed({ noun, query: data?.asked ?? query, totalPages, count, hasRows: spec.columns !== undefined })
    return () => setListed(null)
  }, [data, query, totalPages, count, noun, spec, setListed])

  const columns = useMemo(
    () =>
      spec.columns
        ?.filter(({ id }) => !hidden?.includes(id))
        // The first column is in no order, and stays first.
        .sort((a, b) => (order ? order.indexOf(a.id) - order.indexOf(b.id) : 0)) ?? [],
    [spec, hidden, order],
  )
  const sort = useMemo(
    () => ({
      ordering: query.ordering,
      can: (field: string) => ordering[noun.calls.collection]?.includes(field) ?? false,
      by: sortBy,
      command: (column: { id: string; sort?: string }) => sortId(path, column, query.ordering),
    }),
    [query.ordering, ordering, noun, path],
  )
  const rows = {
    label: spec.title,
    rows: data?.results ?? [],
    rowId: rowKey,
    stale: isPlaceholderData || isFailed,
    // Without an answer, `data` is that of the page before.
    isEarlier: isPlaceholderData || !answer,
    marks: (row: Row<T>) => ({
      busy: busy.has(rowKey(row)),
      fault: faults.has(rowKey(row)),
      past: spec.isPast?.(row) ?? false,
    }),
    onActive,
    ref: table,
  }

  const retryButton = isFailed && <Retry busy={isRepeating} retry={retry} />

  return (
    <div ref={region} role="region" aria-label={spec.title} tabIndex={-1} className={styles.list}>
      <ScreenHeader title={spec.title}>
        {/* Before all others: a button that comes late moves none of them. */}
        <div className={styles.tools}>
          {parts && <parts.ViewsMenu noun={noun} />}
          <FilterMenu noun={noun} />
          {spec.columns && <ColumnsMenu path={path} columns={spec.columns} />}
        </div>
        {noun.search && (
          <SearchForm
            ref={searchInput}
            placeholder={noun.search.placeholder}
            value={query[noun.search.parameter]}
            submit={submit}
            leave={leaveSearch}
          />
        )}
        {spec.actions}
      </ScreenHeader>
      <div className={styles.strip} data-kept={isNarrowed && (views || !areCapabilitiesKnown)}>
        <FilterChips
          noun={noun}
          shown={data}
          leave={() => focusFirstOf(region.current)}
          search={{
            ref: searchInput,
            isOpen: isSearching,
            submit,
            close: () => setSearching(false),
            leave: leaveSearch,
          }}
        />
        {parts && <parts.ViewTools />}
      </div>
      {hasRows && spec.card && <cards.Component key={asked} {...rows} card={spec.card} />}
      {hasRows && spec.columns && (
        <DataTable
          key={asked}
          {...rows}
          columns={columns}
          isTall={spec.isTall ?? false}
          sort={sort}
          selected={selected}
          onSelect={onSelect}
          offset={(data.page - 1) * data.asked.size}
          total={data.count}
          open={(row) => {
            const href = noun.href?.(row)
            if (href) navigate(href)
            else peekAt(row)
          }}
        />
      )}
      {!hasRows && !isEmpty && !isFailed && (
        <TableSkeleton columns={columns} isTall={spec.isTall ?? false} word={spec.loading} />
      )}
      {isEmpty && !isFailed && (
        <div className={styles.empty}>
          <p>{spec.empty}</p>
          {parts && <parts.EmptyReason noun={noun} leave={() => focusFirstOf(region.current)} />}
        </div>
      )}
      {!hasRows && retryButton}
      <Pager
        of={spec.title}
        asked={query.page}
        page={data?.page ?? query.page}
        totalPages={totalPages}
        onPage={goTo}
        count={count}
        {...(page_size && {
          size: {
            path: noun.path,
            value: query.size,
            onSize: (size: number) => setQuery({ size, page: 1 }),
          },
        })}
      >
        {/* Not above it: the table stays where it is. */}
        {hasRows && retryButton}
        {parts && (
          <parts.SelectionBar
            targets={targets}
            elsewhere={elsewhere}
            rowsOnPage={rowsOnPage}
            commands={noun.commands}
            clear={clearSelection}
            leave={toTable}
          />
        )}
      </Pager>
      {parts && spec.columns && (
        <>
          <parts.Peek noun={noun} columns={spec.columns} rows={data?.results ?? null} />
          <parts.RowMenu
            noun={noun}
            label={spec.title}
            all={spec.columns}
            columns={columns}
            leave={toTable}
          />
        </>
      )}
    </div>
  )
}

/** Selects the text and focuses the input: in some browsers selecting alone does not focus it. */
function focusAndSelect(input: HTMLInputElement | null): void {
  input?.focus()
  input?.select()
}
