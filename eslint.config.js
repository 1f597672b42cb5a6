import reactHooks from 'eslint-plugin-react-hooks'
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'

// Prettier checks the formatting, dependency-cruiser the import directions, and this file the rest.
export default defineConfig(
  { ignores: ['dist', 'dist-server', 'data', 'coverage'] },
  tseslint.configs.strictTypeChecked,
  {
    files: ['**/*.ts', '**/*.tsx'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      // Text is spread on purpose, to get code points: for trigrams and for the first three characters of a name.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      'no-console': 'error',
    },
  },
  {
    files: ['src/**/*.tsx', 'src/**/*.ts'],
    extends: [reactHooks.configs.flat['recommended-latest']],
    // The rule reports useVirtualizer, which the React Compiler cannot compile; we do not use that compiler.
    rules: { 'react-hooks/incompatible-library': 'off' },
  },
  {
    files: ['src/commands/**/*.ts', 'src/api/**/*.ts', 'src/state/**/*.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^(react|react-dom|cmdk|radix-ui|sonner|react-hotkeys-hook|wouter|lucide-react)($|/)',
              message: 'Code that renders belongs in src/views.',
            },
            { regex: '.', importNamePattern: '^use[A-Z]', message: 'Hooks belong in src/views.' },
          ],
        },
      ],
    },
  },
  { files: ['server/**/*.ts', 'bench/**/*.ts'], rules: { 'no-console': 'off' } },
  { files: ['**/*.js', '**/*.cjs'], extends: [tseslint.configs.disableTypeChecked] },
)
