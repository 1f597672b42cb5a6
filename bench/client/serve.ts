import { buildApp } from '../../server/app.ts'
import { readConfig } from '../../server/config.ts'
import { openDatabase } from '../../server/db/open.ts'
import { demoLogin } from '../../server/demo/access.ts'

/**
 * The process that serves the pages under comparison: the product's server for each folder named on the command line, all on the
 * database of OMS_DATA. It sends the addresses to the process that started it, and ends with it.
 */
const config = readConfig(process.env)
const engine = openDatabase(config)
const urls: string[] = []
for (const consoleFolder of process.argv.slice(2)) {
  const app = await buildApp({ config, engine, consoleFolder, demoLogin })
  urls.push(await app.listen({ port: 0, host: '127.0.0.1' }))
}
process.on('disconnect', () => process.exit())
process.send?.(urls)
