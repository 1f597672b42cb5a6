import { fork } from 'node:child_process'
import { join } from 'node:path'
import { endWithRun } from '../../tests/support/run-folder.ts'

/** Serves each folder of a built page, in another process, until `close`. Returns the addresses in the same order. */
export async function servePages(
  folders: readonly string[],
  dataFolder: string,
): Promise<{ urls: string[]; close: () => void }> {
  const child = fork(join(import.meta.dirname, 'serve.ts'), folders, {
    env: { ...process.env, OMS_DATA: dataFolder, OMS_LOG: 'warn' },
  })
  endWithRun(child.pid)
  const urls = await new Promise<unknown>((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', (code) => reject(new Error(`The server has stopped with code ${String(code)}.`)))
  })
  if (!Array.isArray(urls)) throw new TypeError('The server did not send its addresses.')
  return { urls: urls.map(String), close: () => void child.kill() }
}
