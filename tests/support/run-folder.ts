import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Makes a temporary folder for this test run and sets TMPDIR to it, for the workers and every program that they start.
 * When the run ends, even by kill -9, the processes registered with `endWithRun` are killed and the folder is removed:
 * a shell process does this when its input pipe closes, which happens when this process ends.
 */
export function openRunFolder(): { close: () => Promise<void> } {
  const folder = mkdtempSync(join(tmpdir(), 'twende-run-'))
  mkdirSync(processes(folder))
  // Detached, so that Ctrl+C in the terminal does not end it together with the run.
  const guard = spawn('/bin/sh', ['-c', guardScript, folder], {
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
  })
  guard.unref()
  process.env['TMPDIR'] = folder
  return {
    close: async () => {
      guard.ref()
      const ended = once(guard, 'exit')
      guard.stdin.end()
      await ended
    },
  }
}

/** Does `work` in such a folder, which it removes when the work has ended in any way. */
export async function inRunFolder(work: () => Promise<void>): Promise<void> {
  const folder = openRunFolder()
  try {
    await work()
  } finally {
    await folder.close()
  }
}

/** Environment for programs that tests start repeatedly: with a compile cache they load a third faster. */
export const compileCache = () => ({ NODE_COMPILE_CACHE: join(tmpdir(), 'compile-cache') })

/** Registers a process to be killed when the run ends. Call the returned function when it has ended by itself. */
export function endWithRun(pid: number | undefined): () => void {
  const file = join(processes(tmpdir()), String(pid))
  writeFileSync(file, '')
  return () => rmSync(file, { force: true })
}

const processes = (folder: string) => join(folder, 'processes')

/** A killed process may still be writing, so removing the folder is tried up to ten times. */
const guardScript = `cat >/dev/null
  for file in "$0"/processes/*; do kill -9 "\${file##*/}" 2>/dev/null; done
  for try in 1 2 3 4 5 6 7 8 9 10; do rm -rf "$0" 2>/dev/null && [ ! -e "$0" ] && exit; sleep 0.3; done`
