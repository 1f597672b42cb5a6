import { globSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, gzip as gzipWithCallback } from 'node:zlib'
import react from '@vitejs/plugin-react'
import type { BuildOptions, Plugin, UserConfig } from 'vite'
import { defineConfig } from 'vitest/config'
import Sequencer from './tests/support/sequencer.ts'
import { sampleSeed } from './tests/support/soak.ts'

const [brotli, gzip] = [promisify(brotliCompress), promisify(gzipWithCallback)]

/** Removes sonner's inline style element, which the content security policy forbids; main.tsx imports its CSS file. */
const toastStylesFromFile: Plugin = {
  name: 'toast-styles-from-file',
  transform: (code, id) =>
    /[\\/]sonner[\\/]dist[\\/]index\.mjs/.test(id)
      ? { code: code.replace(/^__insertCSS\(".*"\);?$/m, ''), map: null }
      : null,
}

/** Removes sonner's styles for its own toasts: ours have their own. */
const plainToastStyles: Plugin = {
  name: 'plain-toast-styles',
  enforce: 'pre',
  transform: (code, id) =>
    /[\\/]sonner[\\/]dist[\\/]styles\.css/.test(id)
      ? { code: code.replace(/[^{}]*(data-styled='true'|data-rich-colors)[^{}]*\{[^{}]*\}/g, ''), map: null }
      : null,
}

/** Leaves out wouter's default hook for the address, which replaces functions of `window.history`. The router is given ours (use-location.ts). */
const ownLocation: Plugin = {
  name: 'own-location',
  transform: (_code, id) =>
    /[\\/]wouter[\\/]src[\\/]use-browser-location\.js/.test(id)
      ? { code: 'export const [useBrowserLocation, useSearch] = []', map: null }
      : null,
}

/** Whether the console itself is built. The bench builds its own pages and those of other products with these settings too. */
const isConsole = ({ root = import.meta.dirname }: UserConfig) => root === import.meta.dirname

const isConsoleBuild: Plugin['apply'] = (config, { command, isSsrBuild }) =>
  isConsole(config) && command === 'build' && !isSsrBuild

/** Leaves out the mutations and endless queries of the query client, 1.7 kB: the console sends its changes itself (run.ts). */
const onlyQueries: Plugin = {
  name: 'only-queries',
  apply: isConsole,
  transform: (_code, id) => {
    if (/[\\/]query-core[\\/]build[\\/]modern[\\/]mutationCache\.js$/.test(id))
      return {
        code: 'export class MutationCache { clear() {} findAll() { return [] } resumePausedMutations() { return Promise.resolve() } }',
        map: null,
      }
    if (/[\\/]query-core[\\/]build[\\/]modern[\\/]infiniteQueryBehavior\.js$/.test(id))
      return {
        code: 'export const [infiniteQueryBehavior, hasNextPage, hasPreviousPage] = [() => undefined]',
        map: null,
      }
    return null
  },
}

/** Imports code that comes later as it is, 0.7 kB less: there is one style sheet, and such code imports only what is there by then. */
const plainImports: Plugin = {
  name: 'plain-imports',
  apply: isConsole,
  transform: (_code, id) =>
    id.includes('vite/preload-helper')
      ? { code: 'export const __vitePreload = (load) => load()', map: null }
      : null,
}

/**
 * Imports the classes of a style file by their names, so that each is written where it is used (`inlineConst`), without an object of all:
 * 0.9 kB less. Vite would leave out the styles of a file whose code is then empty.
 */
const namedStyles: Plugin[] = [
  {
    name: 'named-styles',
    apply: isConsoleBuild,
    enforce: 'pre',
    transform: (code, id) =>
      /[\\/]src[\\/].*\.tsx?$/.test(id)
        ? {
            code: code.replace(/^import (\w+) from (?='.*\.module\.css'$)/gm, 'import * as $1 from '),
            map: null,
          }
        : null,
  },
  {
    name: 'kept-styles',
    apply: isConsoleBuild,
    enforce: 'post',
    transform: (code, id) =>
      id.endsWith('.module.css') ? { code, moduleSideEffects: 'no-treeshake', map: null } : null,
  },
]

/** Gives React's functions for elements as an ES module, so that each call has a name instead of an object with a name: 0.3 kB less. */
const plainElements: Plugin = {
  name: 'plain-elements',
  apply: isConsoleBuild,
  transform: (_code, id) =>
    /[\\/]react[\\/]jsx-runtime\.js$/.test(id)
      ? {
          code:
            `import runtime from './cjs/react-jsx-runtime.production.js'\n` +
            'export const { Fragment, jsx, jsxs } = runtime',
          map: null,
        }
      : null,
}

const iconFile = /[\\/]lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/][\w-]+\.mjs$/

/** Replaces the components of Lucide by plainer ones (icon.tsx), where one path can show the icon: all that the console has. */
const plainIcons: Plugin = {
  name: 'plain-icons',
  // Also for the page of the bench that has the palette of the console.
  apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
  transform: async (_code, id) => {
    if (!iconFile.test(id)) return null
    const path = iconPath(await import(pathToFileURL(id).href))
    if (path === undefined) return null
    const file = JSON.stringify(join(import.meta.dirname, 'src/views/ui/icon.tsx'))
    return {
      code: `import { createIcon } from ${file}\nexport default /* @__PURE__ */ createIcon(${JSON.stringify(path)})`,
      map: null,
    }
  },
}

/** All lines of the icon of a module of Lucide as one path; undefined if it has an element or an attribute that is not known here. */
export function iconPath(module: unknown): string | undefined {
  if (!isIconModule(module)) return undefined
  const paths = module.__iconData.node.map(([element, attributes]) => {
    const names = Object.keys(attributes).filter((name) => name !== 'key')
    return pathsOf[[element, ...names.sort()].join(' ')]?.((name) => attributes[name] ?? '')
  })
  return paths.includes(undefined) ? undefined : paths.join('')
}

interface IconModule {
  __iconData: { node: [element: string, attributes: Record<string, string>][] }
}

const isIconModule = (module: unknown): module is IconModule =>
  typeof module === 'object' && module !== null && '__iconData' in module

/** The path of an element, by its name and those of its attributes. */
const pathsOf: Record<string, (of: (attribute: string) => string) => string> = {
  // If a path begins with a relative move, that is from 0, 0, and its other points are relative to the one before.
  'path d': (of) =>
    of('d').replace(
      /^m\s*(-?\d*\.?\d+)[\s,]*(-?\d*\.?\d+)\s*(?=([-\d.])?)/,
      (_move, x: string, y: string, point?: string) => `M${x} ${y}${point ? 'l' : ''}`,
    ),
  'circle cx cy r': (of) => {
    const r = Number(of('r'))
    return `M${Number(of('cx')) - r} ${of('cy')}a${r} ${r} 0 1 0 ${2 * r} 0 ${r} ${r} 0 1 0-${2 * r} 0z`
  },
  'rect height rx width x y': (of) => {
    const r = Number(of('rx'))
    const [width, height] = [Number(of('width')) - 2 * r, Number(of('height')) - 2 * r]
    const corner = (to: string) => `a${r} ${r} 0 0 1 ${to}`
    const top = `M${Number(of('x')) + r} ${of('y')}h${width}${corner(`${r} ${r}`)}v${height}`
    return `${top}${corner(`-${r} ${r}`)}h-${width}${corner(`-${r}-${r}`)}v-${height}${corner(`${r}-${r}`)}z`
  },
}

/** Writes a .br and a .gz beside each text file of the build, which the server sends as they are. */
const compressedFiles: Plugin = {
  name: 'compressed-files',
  apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
  writeBundle: async ({ dir = '' }, bundle) => {
    const names = Object.keys(bundle).filter((name) => /\.(js|css|svg)$/.test(name))
    await Promise.all(
      names.map(async (name) => {
        const content = await readFile(join(dir, name))
        await writeFile(join(dir, `${name}.br`), await brotli(content))
        await writeFile(join(dir, `${name}.gz`), await gzip(content, { level: 9 }))
      }),
    )
  },
}

const isFirstCall = /[\\/]src[\\/](begin|api[\\/]first-call)\.ts$/

/** Adds the script that sends the first call to the page. It stands before that of the console, and so runs as soon as it has come. */
const firstCall: Plugin = {
  name: 'first-call',
  apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
  buildStart() {
    this.emitFile({ type: 'chunk', id: join(import.meta.dirname, 'src/begin.ts'), name: 'begin' })
  },
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) => {
      const file = Object.values(bundle).find(
        (one) => one.type === 'chunk' && isFirstCall.test(one.facadeModuleId ?? ''),
      )
      if (!file) throw new Error('The build has no file of the first call.')
      return [
        { tag: 'script', attrs: { type: 'module', src: `/${file.fileName}` }, injectTo: 'head-prepend' },
      ]
    },
  },
}

const consoleModule = /[\\/]src[\\/]views[\\/]console\.tsx$/
/** The modules that the code of the console imports, itself included. */
const ofConsole = new Set<string>()
/** Parts of libraries that only the dialogs use. Through the index of its library, the console imports all of its parts. */
const ofDialogs =
  /[\\/](queriesObserver|useQueries|icons[\\/](bookmark|chevrons-up-down|corner-down-left|image-up|triangle-exclamation-point))\.m?js$/

/** Puts the code of the console into one file, and lets the page load it beside that of the login page. */
const consoleFile: Plugin = {
  name: 'console-file',
  apply: isConsoleBuild,
  buildEnd() {
    const open = [...this.getModuleIds()].filter((id) => consoleModule.test(id))
    for (const id of open) {
      if (ofConsole.has(id) || ofDialogs.test(id)) continue
      ofConsole.add(id)
      open.push(...(this.getModuleInfo(id)?.importedIds ?? []))
    }
  },
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) => {
      const files = Object.values(bundle).filter((one) => one.type === 'chunk' && one.name === 'console')
      if (files.length === 0) throw new Error('The build has no file of the console.')
      return files.map(({ fileName }) => ({
        tag: 'link',
        attrs: { rel: 'modulepreload', crossorigin: true, href: `/${fileName}` },
        injectTo: 'head',
      }))
    },
  },
}

const styleFiles = globSync('src/**/*.module.css', { cwd: import.meta.dirname }).sort()

/** The class of a style in the document: its name with the number of its file, which compresses better than Vite's hash and line. */
function classOf(name: string, path: string): string {
  const file = relative(import.meta.dirname, path)
  if (!styleFiles.includes(file)) styleFiles.push(file)
  return `${name}_${styleFiles.indexOf(file).toString(36)}`
}

const server = `http://127.0.0.1:${process.env['PORT'] ?? '4321'}`

/** Settings of the test projects that run in jsdom. */
const page = {
  pool: 'forks' as const,
  environment: 'jsdom',
  // The browser build of the storage SDK: it uses XMLHttpRequest, which reports progress.
  server: { deps: { inline: [/firebase/] } },
  alias: {
    '@firebase/storage': join(import.meta.dirname, 'node_modules/@firebase/storage/dist/index.esm.js'),
  },
  setupFiles: ['tests/support/console-setup.ts'],
}

/** Tests of code that runs while a page loads: each test loads the page again. */
const pageTests = [
  'tests/state/{settings,location,drafts,sidebar,session}.test.ts',
  'tests/main.test.tsx',
  // These tests use fake timers for a long time. If one is aborted, the next file in the same page would fail.
  'tests/views/palette/palette-race.test.tsx',
]

// One style sheet: styles that come later with some code could fail to load without it.
const consoleBuild: BuildOptions = {
  target: 'es2023',
  // For stacks in a report. The server does not send them.
  sourcemap: 'hidden',
  assetsInlineLimit: 0,
  // Files that are loaded later import only those of the first load, which are there by then.
  modulePreload: false,
  cssCodeSplit: false,
  cssTarget: ['chrome123', 'edge123', 'firefox120', 'safari17.5'],
  // One file for the login page, and one for the rest of the first load. Otherwise they would be cut into a file for each set of later files that share code.
  rolldownOptions: {
    // Also texts that are longer than the name of their constant: repeated texts compress better than names.
    optimization: { inlineConst: { mode: 'all', pass: 2 } },
    output: {
      // Chromium then compiles all functions of a file on another thread when it comes, not each at its first call.
      postBanner: ({ facadeModuleId }) =>
        isFirstCall.test(facadeModuleId ?? '') ? '' : '//# allFunctionsCalledOnLoad',
      codeSplitting: {
        groups: [
          { name: 'first', tags: ['$initial'], test: (id) => !isFirstCall.test(id), priority: 2 },
          { name: 'console', test: (id) => ofConsole.has(id), priority: 1 },
        ],
      },
    },
  },
}

const serverBuild: BuildOptions = {
  target: 'node24',
  rolldownOptions: {
    // As TypeScript, each thread that searches would take half as long again to start, and 11 MB more.
    input: ['server/serve.ts', 'server/db/sqlite-thread.ts'],
    output: { chunkFileNames: '[name].js' },
  },
  outDir: 'dist-server',
  copyPublicDir: false,
}

export default defineConfig(({ isSsrBuild }) => ({
  // wouter's copy of a hook that React has had since version 18.
  resolve: { alias: { 'use-sync-external-store/shim/index.js': 'react' } },
  plugins: [
    react(),
    toastStylesFromFile,
    plainToastStyles,
    ownLocation,
    onlyQueries,
    plainImports,
    plainElements,
    plainIcons,
    namedStyles,
    compressedFiles,
    firstCall,
    consoleFile,
  ],
  css: { modules: { generateScopedName: classOf } },
  server: {
    port: 5173,
    proxy: Object.fromEntries(
      ['/api', '/config.json', '/demo', '/healthz', '/v0'].map((path) => [path, server]),
    ),
  },
  // By default every page of the repository, also those of `bench`, whose packages are not installed.
  optimizeDeps: { entries: ['index.html'] },
  build: isSsrBuild ? serverBuild : consoleBuild,
  // The built server holds its packages, but for the one that starts a file of its own on a thread. In tests, it would double packages.
  ...(isSsrBuild && { ssr: { noExternal: true, external: ['tinypool'] } }),
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    reporters: ['default', 'tests/support/count-reporter.ts'],
    ...(sampleSeed !== undefined && { runner: 'tests/support/sampling-runner.ts' }),
    restoreMocks: true,
    // More than two processors need: a browser test waits for a third of its time.
    maxWorkers: 3,
    sequence: { sequencer: Sequencer },
    // Long timeouts for busy machines. Tests do not check speed.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          ...page,
          name: 'console',
          include: ['tests/{commands,views,state,api}/**/*.test.{ts,tsx}'],
          exclude: pageTests,
          // All files of a worker share one page: loading the console takes longer than most files.
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
          // Each file starts its own server, which holds all state; sharing modules saves a third of the time.
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
          expect: { poll: { timeout: 30_000 } },
          setupFiles: ['tests/support/quiet.ts'],
        },
      },
    ],
  },
}))
