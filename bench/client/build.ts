import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'

const repository = join(import.meta.dirname, '..', '..')

/** Builds the page of a folder for production, with the product's settings, and returns the folder of the build. */
export async function buildPage(folder: string): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), 'oms-bench-page-'))
  await build({
    root: folder,
    configFile: join(repository, 'vite.config.ts'),
    logLevel: 'error',
    // Some packages bring their own copy of React.
    resolve: { dedupe: ['react', 'react-dom', 'react-router'] },
    build: { outDir, emptyOutDir: true, sourcemap: false, chunkSizeWarningLimit: 10_000 },
  })
  return outDir
}
