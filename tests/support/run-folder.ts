import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * A temporary folder of this test run, which TMPDIR names from then on for the run's workers and every program that they
 * start. When the run ends, however it ends, the processes registered with `endWithRun` are killed and the folder is
 * removed: a shell waits for the end of a pipe that closes with this process, kill -9 included.
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

/** For the environment of programs that start again and again: they load a third faster. */
export const compileCache = () => ({ NODE_COMPILE_CACHE: join(tmpdir(), 'compile-cache') })

/** Answers how to take it back, once the process has ended by itself. */
export function endWithRun(pid: number | undefined): () => void {
  const file = join(processes(tmpdir()), String(pid))
  writeFileSync(file, '')
  return () => rmSync(file, { force: true })
}

const processes = (folder: string) => join(folder, 'processes')

/** A process that is killed may have been writing, so the folder is removed until it stays so. */
const guardScript = `cat >/dev/null
  for file in "$0"/processes/*; do kill -9 "\${file##*/}" 2>/dev/null; done
  for try in 1 2 3 4 5 6 7 8 9 10; do rm -rf "$0" 2>/dev/null && [ ! -e "$0" ] && exit; sleep 0.3; done`
