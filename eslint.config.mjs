import neostandard, { plugins } from 'neostandard'

/** What a reader has to hold in mind at a time. */
const LINES = { '@stylistic/max-len': ['error', { code: 120, ignoreUrls: true }] }
const SIZES = {
  ...LINES,
  'max-lines-per-function': ['error', { max: 40 }],
  'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }]
}
const own = { '@stylistic': plugins['@stylistic'] }

export default [
  { ignores: ['coverage/', '**/node_modules/', '**/.cache/', '**/.tmp/'] },
  ...neostandard({ env: ['mocha'], ts: true, filesTs: ['**/*.cts', '**/*.mts'] }),
  {
    files: ['index.js', ...['lib', 'perf', 'bench', 'tools', 'reliability'].map((folder) => `${folder}/**/*.js`)],
    plugins: own,
    rules: SIZES
  },
  { files: ['test/support/**/*.js', 'test/tools/**/*.js'], plugins: own, rules: LINES }
]
