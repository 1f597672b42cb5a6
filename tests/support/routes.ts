import type { TypedApp } from '../../server/deps.ts'

export interface Route {
  method: string
  path: string
}

/** All methods and paths of the app's router, parsed from its printed tree. */
export function routesOf(app: TypedApp): Route[] {
  const parents: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line) => {
      const match = /^((?:[│ ] {3})*)[├└]── (\S*)(?: \((.+)\))?$/.exec(line)
      if (!match) throw new Error(`The router's tree has a line that cannot be parsed: ${line}`)
      const [, indent = '', part = '', methods = ''] = match
      const depth = indent.length / 4
      // The printed tree omits the slash before a wildcard below another route.
      const path = ((parents[depth - 1] ?? '') + part).replace(/\/?\*$/, '/*')
      parents.splice(depth, Infinity, path)
      return methods
        .split(', ')
        .filter(Boolean)
        .map((method) => ({ method, path }))
    })
}
