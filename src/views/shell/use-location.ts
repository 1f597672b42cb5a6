import { useAtomValue } from 'jotai'
import { locationAtom, navigate, pathAtom } from '../../state/location.ts'

/** The location hook for wouter, so that it reads and writes `locationAtom`. */
export const useLocationAtom = (): [string, typeof navigate] => [useAtomValue(pathAtom), navigate]

export const useSearchAtom = () => useAtomValue(locationAtom).search
