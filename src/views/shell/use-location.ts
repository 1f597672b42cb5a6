import { useAtomValue } from 'jotai'
import { navigate, pathAtom } from '../../state/location.ts'

/** The location hook for wouter, so that it reads and writes the address of the console. */
export const useLocationAtom = (): [string, typeof navigate] => [useAtomValue(pathAtom), navigate]
