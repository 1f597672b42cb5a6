/** Imports point one way: main -> views -> commands -> api -> contract; state and format are leaves. */
const forbid = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to })

module.exports = {
  forbidden: [
    forbid('no-circular', {}, { circular: true }, 'A cycle has no first file to read.'),
    forbid(
      'no-orphans',
      { orphan: true, pathNot: ['\\.d\\.ts$', '^vite\\.config\\.ts$', '^tests/', '^bench/'] },
      {},
      'A file nobody imports is dead.',
    ),
    forbid('commands-below-views', { path: '^src/commands' }, { path: '^src/(views|main)' }),
    forbid('api-below-commands', { path: '^src/api' }, { path: '^src/(views|commands|main)' }),
    forbid(
      'state-is-a-leaf',
      { path: '^src/state' },
      { path: '^src/(views|commands|api|main)', pathNot: '^src/api/contract\\.ts$' },
    ),
    forbid('format-is-a-leaf', { path: '^src/format\\.ts$' }, { path: '^src' }),
    forbid(
      'no-markup-below-views',
      { path: '^src/(commands|api|state)/.*\\.tsx$' },
      {},
      'commands, api and state are plain TypeScript.',
    ),
    forbid(
      'no-components-below-views',
      { path: '^src/(commands|state)' },
      { path: '^node_modules/(react|react-dom|radix-ui|cmdk|lucide-react)/' },
    ),
    forbid(
      'rooms-below-screens',
      { path: '^src/views/(ui|table|forms|palette|shell)' },
      { path: '^src/views/[^/]+$' },
      'What all screens use knows no screen.',
    ),
    forbid(
      'rooms-know-no-domain',
      { path: '^src/views/(ui|table|forms)' },
      { path: '^src/(commands/nouns/|api/contract)', pathNot: '^src/api/contract\\.ts$' },
      'A list, a form or a button gets its noun as a declaration.',
    ),
    forbid(
      'ui-below-table-and-forms',
      { path: '^src/views/ui' },
      { path: '^src/views/(table|forms|palette|shell)' },
    ),
    forbid(
      'table-and-forms-apart',
      { path: '^src/views/table' },
      { path: '^src/views/(forms|palette|shell)' },
    ),
    forbid(
      'forms-and-table-apart',
      { path: '^src/views/forms' },
      { path: '^src/views/(table|palette|shell)' },
    ),
    forbid(
      'nouns-through-their-registry',
      { path: '^src', pathNot: '^src/(commands/nouns/|views/[^/]+$|views/palette)' },
      { path: '^src/commands/nouns/' },
      'Only other nouns and their screens import a noun; everything else asks for it by name.',
    ),
    forbid(
      'server-takes-only-the-contract',
      { path: '^server' },
      { path: '^src', pathNot: '^src/api/contract\\.ts$' },
    ),
    forbid(
      'threads-without-packages',
      { path: '^server/db/sqlite-thread\\.ts$' },
      { path: '^node_modules/', reachable: true },
      'Each thread loads what this file imports when a first search waits for it.',
    ),
    forbid('console-is-apart-from-server', { path: '^src' }, { path: '^(server|tests|bench)' }),
    forbid('product-without-tests', { path: '^(src|server)' }, { path: '^tests' }),
    forbid('no-unlisted-packages', {}, { dependencyTypes: ['npm-no-pkg', 'unknown'] }),
    forbid('unresolvable', {}, { couldNotResolve: true }),
  ],
  options: {
    // The peers have packages of their own, which only the bench installs.
    exclude: { path: '^bench/peers/' },
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
  },
}
