import neostandard, { plugins } from 'neostandard'

/** What a reader has to hold in mind at a time. */
const SIZES = {
  '@stylistic/max-len': ['error', { code: 120, ignoreUrls: true }],
  'max-lines-per-function': ['error', { max: 40 }],
  'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }]
}

export default [
  { ignores: ['coverage/', '**/node_modules/', '**/.cache/', '**/.tmp/'] },
  ...neostandard({ env: ['mocha'], ts: true, filesTs: ['**/*.cts', '**/*.mts'] }),
  { files: ['index.js', 'lib/**/*.js', 'perf/**/*.js', 'bench/**/*.js'], plugins: { '@stylistic': plugins['@stylistic'] }, rules: SIZES }
]
