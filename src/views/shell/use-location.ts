import { useAtom, useAtomValue } from 'jotai'
import { locationAtom } from '../../state/location.ts'

/** The location hook for wouter, so that it reads and writes `locationAtom`. */
export function useLocationAtom(): [string, (to: string, options?: { replace?: boolean }) => void] {
  const [{ path }, go] = useAtom(locationAtom)
  return [path, (to, options) => go({ to, ...options })]
}

export const useSearchAtom = () => useAtomValue(locationAtom).search
