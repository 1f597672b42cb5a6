import reactHooks from 'eslint-plugin-react-hooks'
import { defineConfig } from 'eslint/config'
import tseslint from 'typescript-eslint'

// Formatting is Prettier's, import direction is dependency-cruiser's; this file holds what is left.
export default defineConfig(
  { ignores: ['dist', 'data', 'coverage'] },
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
      // Code points are what is meant where text is spread: trigrams, the first three characters of a name.
      '@typescript-eslint/no-misused-spread': ['error', { allow: ['string'] }],
      'no-console': 'error',
    },
  },
  {
    files: ['src/**/*.tsx', 'src/**/*.ts'],
    extends: [reactHooks.configs.flat['recommended-latest']],
    // It tells the React Compiler to leave useVirtualizer alone; there is no compiler here.
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
              message: 'What renders lives in src/views.',
            },
            { regex: '.', importNamePattern: '^use[A-Z]', message: 'Hooks live in src/views.' },
          ],
        },
      ],
    },
  },
  { files: ['server/**/*.ts', 'bench/**/*.ts'], rules: { 'no-console': 'off' } },
  { files: ['**/*.js', '**/*.cjs'], extends: [tseslint.configs.disableTypeChecked] },
)
