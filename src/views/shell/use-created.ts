import { useIsFetching } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { queryClient } from '../../api/query-client.ts'
import { isRow } from '../../api/loose.ts'
import { refOf } from '../../commands/command.ts'
import { createdAtom } from '../../commands/created.ts'
import { capitalized } from '../../commands/list.ts'
import { openCreated } from '../../commands/open-created.ts'
import { say } from '../../commands/status.ts'
import { refKey } from '../../state/ref.ts'
import { forgetWantedRow, wantedRowAtom } from '../../state/wanted-row.ts'

/** Names a new record in the status line, with a way to it, if its list is not on screen or has it on another page. */
export function useCreated(): void {
  const created = useAtomValue(createdAtom)
  const isWanted = useAtomValue(wantedRowAtom) === created?.key
  const isLoading = useIsFetching({ queryKey: [created?.noun.name, 'list'] }) > 0
  useEffect(() => {
    if (!created || !isWanted || isLoading) return
    const { noun, row, key } = created
    const shown = queryClient.getQueryCache().findAll({ queryKey: [noun.name, 'list'], type: 'active' })
    const rows = shown.flatMap(({ state: { data } }) => {
      if (!isRow<{ results: unknown }>(data) || !Array.isArray(data.results)) return []
      const results: readonly unknown[] = data.results
      return results
    })
    if (rows.some((one) => refKey(refOf(noun, one)) === key)) return
    forgetWantedRow()
    say(`${capitalized(noun.singular)} ${noun.nameOf(row)} created.`, {
      label: 'Open',
      command: openCreated.id,
      run: () => void openCreated.run({ path: '', targets: [] }),
    })
  }, [created, isWanted, isLoading])
}
