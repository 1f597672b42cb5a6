import { pathToFileURL } from 'node:url'
import { build } from './build.ts'
import { explain } from './operator-error.ts'
import { root } from './root.ts'

/** `npm start`: builds what is older than its sources, and starts the server. */
try {
  const server = build(root)
  await import(pathToFileURL(server).href)
} catch (error) {
  console.error(explain(error))
  process.exit(1)
}
