import { useQuery } from '@tanstack/react-query'
import { getDefaultStore, useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useLayoutEffect, useMemo } from 'react'
import { capabilitiesAtom } from '../../api/config.ts'
import { queryClient } from '../../api/query-client.ts'
import { columnCommands } from '../../commands/columns.ts'
import { lateCommandsAtom } from '../../commands/late.ts'
import { openCreated } from '../../commands/open-created.ts'
import {
  changeCommands,
  countsLoad,
  openCommand,
  savedViewsAtom,
  saveView,
  showColumnsOnce,
  viewsLoad,
  viewsOf,
} from '../../commands/views.ts'
import { columnsKeyAtom } from '../../state/list.ts'
import { pathAtom } from '../../state/location.ts'
import { settingsAtom } from '../../state/settings.ts'
import { useLoad } from '../ui/use-load.ts'

/** In milliseconds. */
const countsAge = 60_000

/** Loads the saved views, where the server has them, and offers their commands. Counts the pinned ones once a minute. */
export function useSavedViews(): void {
  const isOffered = useAtomValue(capabilitiesAtom).views
  const { data } = useLoad({ ...viewsLoad, enabled: isOffered })
  const path = useAtomValue(pathAtom)
  // With each screen: somebody may have changed them elsewhere.
  useEffect(() => {
    const { queryKey } = viewsLoad
    void queryClient.refetchQueries({ queryKey, type: 'active', stale: true }, { cancelRefetch: false })
  }, [path])
  const views = useMemo(() => (isOffered && data ? viewsOf(data.results) : null), [isOffered, data])
  useQuery({
    ...countsLoad,
    enabled: views?.some(({ isPinned }) => isPinned) ?? false,
    staleTime: countsAge,
    refetchInterval: countsAge,
    refetchOnWindowFocus: true,
  })
  const setViews = useSetAtom(savedViewsAtom)
  const setCommands = useSetAtom(lateCommandsAtom)
  const address = useAtomValue(columnsKeyAtom)
  useLayoutEffect(() => {
    if (!views) return
    const store = getDefaultStore()
    const pinned: Record<string, number> = {}
    for (const { noun, isPinned } of views) if (isPinned) pinned[noun.path] = (pinned[noun.path] ?? 0) + 1
    const { pinned: before } = store.get(settingsAtom)
    if (JSON.stringify(pinned) !== JSON.stringify(before)) store.set(settingsAtom, { pinned })
  }, [views])
  useLayoutEffect(() => {
    setViews(views)
    setCommands('views', [
      openCreated,
      ...columnCommands,
      ...(views
        ? [
            saveView,
            ...views.map(openCommand),
            ...views.flatMap((view) =>
              changeCommands(
                view,
                views.filter(({ noun }) => noun === view.noun),
              ),
            ),
          ]
        : []),
    ])
    return () => {
      setViews(null)
      setCommands('views', [])
    }
  }, [views, setViews, setCommands])
  useLayoutEffect(showColumnsOnce, [views, address])
}
