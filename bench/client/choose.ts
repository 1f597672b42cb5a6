import type { Profile } from './visit.ts'

/** The ones that an option of the command line names, separated by commas. Throws for an unknown name. */
export function choose<Value>(names: string, all: Readonly<Record<string, Value>>): Value[] {
  const known = new Map(Object.entries(all))
  return names.split(',').map((name) => {
    const value = known.get(name)
    if (value === undefined) throw new Error(`"${name}" is none of ${[...known.keys()].join(', ')}.`)
    return value
  })
}

/** The profiles that the option `--profiles` names. */
export const chooseProfiles = (names: string): Profile[] =>
  choose<Profile>(names, { '1x': '1x', '4x': '4x', slow4g: 'slow4g' })
