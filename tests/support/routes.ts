import type { TypedApp } from '../../server/deps.ts'

export interface Route {
  method: string
  path: string
}

/** Every method and path that the app's router answers, read from the tree that it prints. */
export function routesOf(app: TypedApp): Route[] {
  const parents: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line) => {
      const match = /^((?:[│ ] {3})*)[├└]── (\S*)(?: \((.+)\))?$/.exec(line)
      if (!match) throw new Error(`The router's table has a line that cannot be read: ${line}`)
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
