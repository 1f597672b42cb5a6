import { useAtomValue, useSetAtom } from 'jotai'
import { locationAtom, pathAtom } from '../../state/location.ts'

/** The location hook for wouter, so that it reads and writes `locationAtom`. */
export function useLocationAtom(): [string, (to: string, options?: { replace?: boolean }) => void] {
  const go = useSetAtom(locationAtom)
  return [useAtomValue(pathAtom), (to, options) => go({ to, ...options })]
}

export const useSearchAtom = () => useAtomValue(locationAtom).search
