import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from './root.ts'

/**
 * Starts server and console with hot reload: `npm run dev`. The server restarts when its files change; Vite serves the
 * console.
 */
const run = (args: string[]) => spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
const children = [
  run([
    '--watch-path=server',
    '--watch-path=src/api/contract.ts',
    '--watch-preserve-output',
    'server/serve.ts',
  ]),
  run([join(root, 'node_modules', 'vite', 'bin', 'vite.js')]),
]
for (const child of children)
  child.on('exit', (code) => {
    for (const other of children) other.kill()
    process.exitCode = code ?? 1
  })
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    for (const child of children) child.kill(signal)
  })
