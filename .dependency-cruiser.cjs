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
    forbid('state-is-a-leaf', { path: '^src/state' }, { path: '^src/(views|commands|api|main)' }),
    forbid('format-is-a-leaf', { path: '^src/format\\.ts$' }, { path: '^src' }),
    forbid(
      'shell-and-ui-below-screens',
      { path: '^src/views/(ui|shell)' },
      { path: '^src/views/[^/]+$', pathNot: '^src/views/screen\\.tsx?$' },
    ),
    forbid(
      'server-takes-only-the-contract',
      { path: '^server' },
      { path: '^src', pathNot: '^src/api/contract\\.ts$' },
    ),
    forbid('console-is-apart-from-server', { path: '^src' }, { path: '^(server|tests|bench)' }),
    forbid('product-without-tests', { path: '^(src|server)' }, { path: '^tests' }),
    forbid('no-unlisted-packages', {}, { dependencyTypes: ['npm-no-pkg', 'unknown'] }),
    forbid('unresolvable', {}, { couldNotResolve: true }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
  },
}
