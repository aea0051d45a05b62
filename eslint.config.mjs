import neostandard from 'neostandard'

export default [
  { ignores: ['coverage/', '**/node_modules/', '**/.cache/'] },
  ...neostandard({ env: ['mocha'], ts: true, filesTs: ['**/*.cts', '**/*.mts'] })
]
