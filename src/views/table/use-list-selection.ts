import { useAtomValue } from 'jotai'
import { useLayoutEffect, useMemo } from 'react'
import type { ListQuery } from '../../api/contract.ts'
import type { Row } from '../../api/loose.ts'
import { isRow } from '../../api/loose.ts'
import { refOf, targetsOf } from '../../commands/command.ts'
import type { Noun } from '../../commands/noun.ts'
import { cancelLoading, clearSelection, select, selectionAtom } from '../../commands/selection.ts'
import { refKey } from '../../state/ref.ts'

interface Shown<T extends object> {
  results: readonly Row<T>[]
  totalPages: number
  /** What was asked for them. */
  asked: ListQuery
}

/** The selection of a list over all its pages, with the rows on screen as they are now. */
export function useListSelection<T extends object>(noun: Noun<T>, shown: Shown<T> | undefined) {
  const selection = useAtomValue(selectionAtom)
  // A selection belongs to one search and filter; it stays for every page and order of it.
  const scope = shown && scopeOf(shown.asked)
  useLayoutEffect(
    () => () => {
      cancelLoading()
      clearSelection()
    },
    [noun, scope],
  )
  // Those that are on no page any more, after somebody else has changed them.
  const isOnePage = shown !== undefined && shown.totalPages <= 1
  useLayoutEffect(() => {
    if (!isOnePage || selection.size === 0) return
    const page = new Set(shown.results.map((row) => refKey(refOf(noun, row))))
    const left = [...selection].filter(([key]) => page.has(key))
    if (left.length < selection.size) select(left.map(([, target]) => target))
  }, [noun, shown, isOnePage, selection])
  return useMemo(() => {
    const page = new Map(shown?.results.map((row) => [refKey(refOf(noun, row)), row]))
    const others = [...selection].flatMap(([key, { row }]): [string, Row<T>][] =>
      !page.has(key) && isRow<T>(row) ? [[key, row]] : [],
    )
    const here = [...page].filter(([key]) => selection.has(key))
    // The rows of the page where the first of them is in the selection, so that rows are copied in the same order on every page.
    const at = [...selection.keys()].findIndex((key) => page.has(key))
    const selected = new Map(others.toSpliced(at, 0, ...here))
    return {
      /** By `refKey`. */
      selected,
      targets: targetsOf(noun, [...selected.values()]),
      elsewhere: others.length,
      rowsOnPage: page.size,
      onSelect: (keys: ReadonlySet<string>) => {
        // By Escape for example: nothing is to be selected, so no rows are waited for either.
        if (keys.size === 0) cancelLoading()
        const rows = new Map([...selected, ...page])
        select(
          targetsOf(
            noun,
            [...keys].flatMap((key) => rows.get(key) ?? []),
          ),
        )
      },
    }
  }, [noun, shown, selection])
}

const scopeOf = ({ s, phone, name, filter }: ListQuery) => JSON.stringify([s, phone, name, filter])
