import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from 'typebox'
import { Value } from 'typebox/value'

const Package = Type.Object({
  version: Type.Optional(Type.String()),
  license: Type.Optional(Type.String()),
  dev: Type.Optional(Type.Boolean()),
})
const Lock = Type.Object({ packages: Type.Record(Type.String(), Package) })

interface InstalledPackage {
  /** Its folder, relative to the repository: `node_modules/fastify`. */
  path: string
  name: string
  version: string
  /** As its package.json says; empty if it says nothing. */
  licence: string
}

/** The packages that `npm ci --omit=dev` installs, by the lock file. */
export function productionPackages(): InstalledPackage[] {
  const file = join(import.meta.dirname, '..', '..', 'package-lock.json')
  const { packages } = Value.Parse(Lock, JSON.parse(readFileSync(file, 'utf8')))
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, { version = '', license = '' }]) => ({
      path,
      name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      licence: license,
    }))
}

/** Licences that ask for nothing but their notice. Any other one needs a decision before its package is used. */
const allowed = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'Unlicense',
]

export const isAllowed = ({ licence }: Pick<InstalledPackage, 'licence'>): boolean =>
  allowed.includes(licence)
