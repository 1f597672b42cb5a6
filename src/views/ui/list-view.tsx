import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useAtom, useAtomValue, useSetAtom } from 'jotai'
import type { ReactNode } from 'react'
import { useCallback, useEffect, useRef } from 'react'
import { capabilitiesAtom } from '../../api/config.ts'
import type { Page, Row } from '../../api/loose.ts'
import type { Context } from '../../commands/command.ts'
import { targetsAtom } from '../../commands/context.ts'
import { listHandleAtom } from '../../commands/list.ts'
import { busyAtom, faultsAtom } from '../../commands/run.ts'
import { navigate } from '../../state/location.ts'
import type { ListState } from '../../state/list.ts'
import { listStateAtom } from '../../state/list.ts'
import type { Column, TableHandle } from './data-table.tsx'
import { DataTable } from './data-table.tsx'
import styles from './list-view.module.css'
import { Pager } from './pager.tsx'
import { Retry } from './retry.tsx'
import { ScreenHeader } from './screen-header.tsx'
import { SearchForm } from './search-form.tsx'
import { Skeleton } from './skeleton.tsx'

/** Everything that tells one list from another. */
export interface ListSpec<T extends object> {
  path: string
  title: string
  /** The list call. */
  load: (state: ListState, signal: AbortSignal) => Promise<Page<T>>
  columns: readonly Column<Row<T>>[]
  empty: string
  /** `driver:12`: names the row for keys, busy state and fault mark. */
  record: (row: Row<T>) => string
  href?: (row: Row<T>) => string
  /** The row as what commands act on. */
  targets?: (row: Row<T>) => Context['targets']
  search?: { parameter: 's' | 'name'; placeholder: string }
  /** Buttons beside the title. */
  actions?: ReactNode
}

/** The one list view: title, search, table, pager, and the states between. */
export function ListView<T extends object>({ spec }: { spec: ListSpec<T> }) {
  const [state, setState] = useAtom(listStateAtom)
  const setTargets = useSetAtom(targetsAtom)
  const { page_size } = useAtomValue(capabilitiesAtom)
  const busy = useAtomValue(busyAtom)
  const faults = useAtomValue(faultsAtom)
  const searchInput = useRef<HTMLInputElement>(null)
  const { data, isPlaceholderData, isError, isFetching, refetch } = useQuery({
    queryKey: [spec.path, state],
    queryFn: async ({ signal }) => ({ ...(await spec.load(state, signal)), asked: state }),
    placeholderData: keepPreviousData,
  })
  const totalPages = data?.totalPages ?? 0
  const goTo = (page: number) => setState({ page })

  // A page beyond the end became the last page: the URL follows (rulings, lists).
  const answered = data && !isPlaceholderData ? data.page : state.page
  useEffect(() => {
    if (answered !== state.page) setState({ page: answered }, { replace: true })
  }, [answered, state.page, setState])

  const { targets } = spec
  const onActive = useCallback(
    (row: Row<T> | null) => setTargets(row && targets ? targets(row) : {}),
    [setTargets, targets],
  )
  const table = useRef<TableHandle | null>(null)
  const setHandle = useSetAtom(listHandleAtom)
  useEffect(() => {
    setHandle({
      move: (by) => table.current?.move(by),
      open: () => table.current?.open(),
      search: spec.search ? () => searchInput.current?.select() : null,
      previousPage: state.page > 1 ? state.page - 1 : null,
      nextPage: state.page < totalPages ? state.page + 1 : null,
      goTo,
    })
    return () => setHandle(null)
  })

  return (
    <div className={styles.list}>
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
      </ScreenHeader>
      {data && data.results.length > 0 && (
        <DataTable
          key={JSON.stringify(data.asked)}
          label={spec.title}
          rows={data.results}
          rowId={spec.record}
          columns={spec.columns}
          offset={(data.page - 1) * data.asked.size}
          total={data.count}
          stale={isPlaceholderData || isError}
          marks={(row) => ({ busy: busy.has(spec.record(row)), fault: faults.has(spec.record(row)) })}
          onActive={onActive}
          open={(row) => spec.href && navigate(spec.href(row))}
          ref={table}
        />
      )}
      {!data && !isError && <Skeleton columns={spec.columns.length} />}
      {data?.results.length === 0 && !isError && <p className={styles.empty}>{spec.empty}</p>}
      {isError && <Retry busy={isFetching} retry={() => void refetch()} />}
      <Pager
        of={spec.title}
        page={data?.page ?? state.page}
        totalPages={totalPages}
        onPage={goTo}
        count={data?.count ?? null}
        {...(page_size && {
          size: { value: state.size, onSize: (size: number) => setState({ size, page: 1 }) },
        })}
      />
    </div>
  )
}
