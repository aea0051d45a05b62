import neostandard from 'neostandard'

export default [
  { ignores: ['coverage/', '**/node_modules/', '**/.cache/', '**/.tmp/'] },
  ...neostandard({ env: ['mocha'], ts: true, filesTs: ['**/*.cts', '**/*.mts'] })
]
