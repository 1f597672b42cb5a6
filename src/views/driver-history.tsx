import { keepPreviousData } from '@tanstack/react-query'
import { useAtomValue, useSetAtom } from 'jotai'
import type { ReactNode } from 'react'
import { useEffect } from 'react'
import type { Page, Row } from '../api/loose.ts'
import { pagesAtom } from '../commands/list.ts'
import { amount } from '../format.ts'
import { hrefOf, parsePage, withParameters } from '../state/list.ts'
import { locationAtom, navigate } from '../state/location.ts'
import styles from './driver.module.css'
import { Pager } from './table/pager.tsx'
import { Retry } from './ui/retry.tsx'
import { blankColumns, TableSkeleton } from './table/table-skeleton.tsx'
import { useLatest } from './table/use-latest.ts'
import { useLoad } from './ui/use-load.ts'
import { exactly } from './ui/exactly.ts'

interface DriverHistoryProps<T extends object> {
  id: string
  of: string
  /** S2.u.2: `page` for jobs, `pageT` for transactions. */
  parameter: 'page' | 'pageT'
  load: (id: string, page: number, signal: AbortSignal) => Promise<Page<T>>
  empty: string
  item: (row: Row<T>) => { title: string; amount: unknown; date: string; exact: string; detail?: ReactNode }
}

/** One tab of a driver's history, five lines a page (S9.4). */
export function DriverHistory<T extends object>({
  id,
  of,
  parameter,
  load,
  empty,
  item,
}: DriverHistoryProps<T>) {
  const { path, search } = useAtomValue(locationAtom)
  const page = parsePage(new URLSearchParams(search).get(parameter))
  const {
    data: answer,
    isFailed,
    isRepeating,
    isPlaceholderData,
    retry,
  } = useLoad({
    queryKey: ['driver', 'one', id, parameter, page],
    queryFn: ({ signal }) => load(id, page, signal),
    placeholderData: keepPreviousData,
  })
  const data = useLatest(answer)
  const goTo = (to: number, replace = false) =>
    navigate(hrefOf(path, withParameters(search, { [parameter]: to })), { replace })

  const answered = answer && !isPlaceholderData ? answer.page : page
  const isEmpty = answer?.results.length === 0 && !isPlaceholderData && answered === page
  useEffect(() => {
    if (answered !== page) goTo(answered, true)
  })

  const setPages = useSetAtom(pagesAtom)
  useEffect(() => {
    const last = data?.totalPages ?? 0
    setPages({ previousPage: page > 1 ? page - 1 : null, nextPage: page < last ? page + 1 : null, goTo })
    return () => setPages(null)
  })

  return (
    <div className={styles.history} data-stale={isPlaceholderData || (isFailed && data !== undefined)}>
      {!data?.results.length && !isEmpty && !isFailed && <TableSkeleton columns={blankColumns(3)} rows={5} />}
      {isEmpty && !isFailed && <p>{empty}</p>}
      {data && data.results.length > 0 && (
        <ul aria-label={of}>
          {data.results.map(item).map(({ title, amount: value, date, exact, detail }, at) => (
            <li key={at}>
              <span>{title}</span>
              <span {...exactly(value)}>Ksh {amount(value)}</span>
              <span title={exact}>{date}</span>
              {detail && <span>{detail}</span>}
            </li>
          ))}
        </ul>
      )}
      {isFailed && <Retry busy={isRepeating} retry={retry} />}
      <Pager
        of={of}
        asked={page}
        page={data?.page ?? page}
        totalPages={data?.totalPages ?? null}
        onPage={goTo}
        count={data?.count ?? null}
      />
    </div>
  )
}
