import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import Sequencer from './tests/support/sequencer.ts'

/** The toasts bring their styles as an inline style element, which the strict policy forbids; main.tsx imports the file. */
const toastStylesFromFile: Plugin = {
  name: 'toast-styles-from-file',
  transform: (code, id) =>
    /[\\/]sonner[\\/]dist[\\/]index\.mjs/.test(id)
      ? { code: code.replace(/^__insertCSS\(".*"\);?$/m, ''), map: null }
      : null,
}

const server = `http://127.0.0.1:${process.env['PORT'] ?? '4321'}`

/** A page of jsdom. */
const page = {
  pool: 'forks' as const,
  environment: 'jsdom',
  // As the browser gets it: with XMLHttpRequest, which tells of progress.
  server: { deps: { inline: [/firebase/] } },
  alias: {
    '@firebase/storage': join(import.meta.dirname, 'node_modules/@firebase/storage/dist/index.esm.js'),
  },
  setupFiles: ['tests/support/console-setup.ts'],
}

/** What a page does as it loads: each test loads its own. */
const pageTests = ['tests/state/{settings,location,drafts,sidebar,session}.test.ts', 'tests/main.test.tsx']

export default defineConfig({
  plugins: [react(), toastStylesFromFile],
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      ['/api', '/config.json', '/demo', '/healthz', '/v0'].map((path) => [path, server]),
    ),
  },
  build: { target: 'es2023', sourcemap: true, assetsInlineLimit: 0 },
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    reporters: ['default', 'tests/support/count-reporter.ts'],
    restoreMocks: true,
    // Two for computing, three for what waits.
    maxWorkers: 5,
    sequence: { sequencer: Sequencer },
    // Machines are shared: a test says what must happen, never how fast.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          ...page,
          name: 'console',
          include: ['tests/{commands,views,state,api}/**/*.test.{ts,tsx}'],
          exclude: pageTests,
          // One page for all files of a worker: loading the console takes longer than most of them.
          isolate: false,
          setupFiles: [...page.setupFiles, 'tests/support/app-setup.ts'],
        },
      },
      { extends: true, test: { ...page, name: 'page', include: pageTests } },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['tests/server/**/*.test.ts', 'tests/*.test.ts'],
          // Their state is their server's; loading it once for each worker saves a third of the time.
          isolate: false,
          setupFiles: ['tests/support/quiet.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['tests/e2e/**/*.test.ts'],
          isolate: false,
          expect: { poll: { timeout: 15_000 } },
          setupFiles: ['tests/support/quiet.ts'],
        },
      },
    ],
  },
})
