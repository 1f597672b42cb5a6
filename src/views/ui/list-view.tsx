import { keepPreviousData } from '@tanstack/react-query'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import type { ReactNode } from 'react'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { capabilitiesAskedAtom, capabilitiesAtom } from '../../api/config.ts'
import type { ListCall } from '../../api/client.ts'
import type { Row } from '../../api/loose.ts'
import type { Command, Context } from '../../commands/command.ts'
import { targetsAtom } from '../../commands/context.ts'
import { listHandleAtom, sortBy } from '../../commands/list.ts'
import { busyAtom, faultsAtom } from '../../commands/run.ts'
import { navigate } from '../../state/location.ts'
import { defaultSize, listStateAtom } from '../../state/list.ts'
import { settingsAtom } from '../../state/settings.ts'
import { CardGrid } from './card-grid.tsx'
import { ColumnsMenu } from './columns-menu.tsx'
import type { Column } from './column.ts'
import type { TableHandle } from './data-table.tsx'
import { DataTable } from './data-table.tsx'
import styles from './list-view.module.css'
import { Pager } from './pager.tsx'
import { Retry } from './retry.tsx'
import { ScreenHeader } from './screen-header.tsx'
import { SearchForm } from './search-form.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { Skeleton } from './skeleton.tsx'
import { useLatest } from './use-latest.ts'
import { useLoad } from './use-load.ts'

/** Everything that tells one list from another. */
export interface ListSpec<T extends object> {
  path: string
  title: string
  /** The list call. */
  load: ListCall<T>
  /** What a row of the table shows. */
  columns?: readonly Column<Row<T>>[]
  /** Cards instead of a table: what one shows. */
  card?: (row: Row<T>) => ReactNode
  empty: string
  /** S2.f.3, S2.m.4: a word while the first answer is on its way. */
  loading?: string
  /** `driver:12`: names the row for keys, busy state and fault mark. */
  record: (row: Row<T>) => string
  /** What the row opens; blank where it opens nothing. */
  href?: (row: Row<T>) => string
  /** Rows as what commands act on. */
  targets?: (rows: readonly Row<T>[]) => Context['targets']
  commands: readonly Command[]
  /** Rows that have had their time. */
  isPast?: (row: Row<T>) => boolean
  search?: { parameter: 's' | 'name'; placeholder: string }
  /** Buttons beside the title. */
  actions?: ReactNode
}

/** The one list view: title, search, table, pager, and the states between. */
export function ListView<T extends object>({ spec }: { spec: ListSpec<T> }) {
  const [state, setState] = useAtom(listStateAtom)
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
    queryKey: [spec.path, state],
    queryFn: async ({ signal }) => ({ ...(await spec.load(state, signal)), asked: state }),
    placeholderData: keepPreviousData,
    // Only what goes beyond the specification has to wait for what the server takes.
    enabled: areCapabilitiesKnown || (state.size === defaultSize && !state.ordering),
  })
  const data = useLatest(answer)
  const totalPages = data?.totalPages ?? 0
  const goTo = (page: number) => setState({ page })

  // A page beyond the end became the last page: the URL follows (rulings, lists).
  const answered = answer && !isPlaceholderData ? answer.page : state.page
  // An earlier answer, or one that is about to be corrected, says nothing about what was asked for.
  const isEmpty = answer?.results.length === 0 && !isPlaceholderData && answered === state.page
  const hasRows = data !== undefined && data.results.length > 0
  useEffect(() => {
    if (answered !== state.page) setState({ page: answered }, { replace: true })
  }, [answered, state.page, setState])

  // A selection belongs to one page of one question.
  const asked = JSON.stringify(data?.asked)
  const [selection, setSelection] = useState({ asked, ids: nothing })
  const ids = selection.asked === asked ? selection.ids : nothing
  const selected = useMemo(
    () => data?.results.filter((row) => ids.has(spec.record(row))) ?? [],
    [data, ids, spec],
  )
  const active = useRef<Row<T> | null>(null)
  const { targets } = spec
  const onActive = useCallback(
    (row: Row<T> | null) => {
      active.current = row
      const rows = selected.length || !row ? selected : [row]
      setTargets(rows.length && targets ? targets(rows) : {})
    },
    [setTargets, targets, selected],
  )
  const table = useRef<TableHandle | null>(null)
  const setHandle = useSetAtom(listHandleAtom)
  useEffect(() => {
    setHandle({
      move: (by) => table.current?.move(by),
      open: () => table.current?.open(),
      search: spec.search ? () => focusAndSelect(searchInput.current) : null,
      // As it is when a key is pressed: the table knows its focused row alone.
      get rows() {
        return table.current?.rows ? { ...table.current.rows, selected: selected.length } : null
      },
      previousPage: state.page > 1 ? state.page - 1 : null,
      nextPage: state.page < totalPages ? state.page + 1 : null,
      goTo,
    })
    return () => setHandle(null)
  })

  const region = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The focus went with the last row.
    if (isEmpty && document.activeElement === document.body) region.current?.focus()
  }, [isEmpty])

  const columns = useMemo(
    () => spec.columns?.filter(({ id }) => !hidden[spec.path]?.includes(id)) ?? [],
    [spec, hidden],
  )
  const rows = {
    label: spec.title,
    rows: data?.results ?? [],
    rowId: spec.record,
    stale: isPlaceholderData || isFailed,
    marks: (row: Row<T>) => ({
      busy: busy.has(spec.record(row)),
      fault: faults.has(spec.record(row)),
      past: spec.isPast?.(row) ?? false,
    }),
    onActive,
    ref: table,
  }

  return (
    <div ref={region} role="region" aria-label={spec.title} tabIndex={-1} className={styles.list}>
      <ScreenHeader title={spec.title}>
        {spec.search && (
          <SearchForm
            ref={searchInput}
            placeholder={spec.search.placeholder}
            value={state[spec.search.parameter]}
            submit={(value) => setState({ [spec.search?.parameter ?? 's']: value, page: 1 })}
            leave={() => table.current?.move(0)}
          />
        )}
        {spec.actions}
        {spec.columns && <ColumnsMenu path={spec.path} columns={spec.columns} />}
      </ScreenHeader>
      {hasRows && spec.card && <CardGrid key={asked} {...rows} card={spec.card} />}
      {hasRows && spec.columns && (
        <DataTable
          key={asked}
          {...rows}
          columns={columns}
          sort={{
            ordering: state.ordering,
            can: (field) => ordering[spec.load.noun]?.includes(field) ?? false,
            by: sortBy,
          }}
          selected={ids}
          onSelect={(next) => setSelection({ asked, ids: next })}
          offset={(data.page - 1) * data.asked.size}
          total={data.count}
          open={(row) => {
            const href = spec.href?.(row)
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
        page={data?.page ?? state.page}
        totalPages={data?.totalPages ?? null}
        onPage={goTo}
        count={data?.count ?? null}
        {...(page_size && {
          size: { value: state.size, onSize: (size: number) => setState({ size, page: 1 }) },
        })}
      >
        {selected.length > 0 && (
          <SelectionBar
            count={selected.length}
            commands={spec.commands}
            targets={targets?.(selected) ?? {}}
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
