import js from '@eslint/js'
import stylistic from '@stylistic/eslint-plugin'
import jsdoc from 'eslint-plugin-jsdoc'
import globals from 'globals'

/** What a reader has to hold in mind at a time. */
const LINES = { '@stylistic/max-len': ['error', { code: 120, ignoreUrls: true }] }
/** A request or a message of more than 80 characters stays in one piece, so that it can be searched for. */
const LONG_TEXT = /'[^']{80,}'|"[^"]{80,}"|`[^`]{80,}`|\/\S[^/]{80,}\//.source
const LINES_OF_TESTS = { '@stylistic/max-len': ['error', { code: 120, ignoreUrls: true, ignorePattern: LONG_TEXT }] }
const SIZES = {
  ...LINES,
  'max-lines-per-function': ['error', { max: 40 }],
  'max-lines': ['error', { max: 250, skipBlankLines: true, skipComments: true }]
}

/** How code looks, as standard has it. */
const LOOK = {
  ...stylistic.configs.customize({ arrowParens: false, braceStyle: '1tbs', commaDangle: 'never', jsx: false }).rules,
  '@stylistic/arrow-parens': 'off',
  '@stylistic/brace-style': ['error', '1tbs', { allowSingleLine: true }],
  '@stylistic/generator-star-spacing': ['error', { before: true, after: true }],
  '@stylistic/indent': ['error', 2, { SwitchCase: 1, ignoredNodes: ['TemplateLiteral *'], offsetTernaryExpressions: true }],
  '@stylistic/indent-binary-ops': 'off',
  '@stylistic/max-statements-per-line': 'off',
  '@stylistic/multiline-ternary': ['error', 'always-multiline'],
  '@stylistic/no-mixed-operators': ['error', { groups: [['==', '!=', '===', '!==', '>', '>=', '<', '<='], ['&&', '||'], ['in', 'instanceof']] }],
  '@stylistic/no-multi-spaces': ['error', { ignoreEOLComments: true }],
  '@stylistic/object-property-newline': ['error', { allowAllPropertiesOnSameLine: true }],
  '@stylistic/operator-linebreak': ['error', 'after', { overrides: { '?': 'before', ':': 'before' } }],
  '@stylistic/quote-props': ['error', 'as-needed'],
  '@stylistic/quotes': ['error', 'single', { avoidEscape: true, allowTemplateLiterals: 'avoidEscape' }],
  '@stylistic/space-before-function-paren': ['error', 'always'],
  '@stylistic/yield-star-spacing': ['error', 'both']
}

/** What hides a mistake, beside what ESLint recommends. */
const SENSE = {
  'array-callback-return': 'error',
  curly: ['error', 'multi-line'],
  eqeqeq: ['error', 'always', { null: 'ignore' }],
  'no-empty': ['error', { allowEmptyCatch: true }],
  'no-eval': 'error',
  'no-extend-native': 'error',
  'no-implied-eval': 'error',
  'no-new-func': 'error',
  'no-return-assign': 'error',
  'no-self-compare': 'error',
  'no-sequences': 'error',
  'no-template-curly-in-string': 'error',
  'no-throw-literal': 'error',
  'no-unmodified-loop-condition': 'error',
  'no-unreachable-loop': 'error',
  'no-unused-expressions': ['error', { allowShortCircuit: true, allowTernary: true, allowTaggedTemplates: true }],
  'no-unused-vars': ['error', { args: 'none', caughtErrors: 'none', ignoreRestSiblings: true, vars: 'all' }],
  'no-use-before-define': ['error', { classes: false, functions: false, variables: false }],
  'no-useless-call': 'error',
  'no-useless-computed-key': 'error',
  'no-useless-constructor': 'error',
  'no-useless-rename': 'error',
  'no-useless-return': 'error',
  'no-var': 'error',
  'object-shorthand': ['error', 'properties'],
  'one-var': ['error', { initialized: 'never' }],
  'prefer-const': ['error', { destructuring: 'all' }],
  'prefer-promise-reject-errors': 'error',
  yoda: ['error', 'never']
}

/**
 * V8 creates a function in old space if it is written as the new value of a property. All that it refers to, the bytes
 * of a request say, outlives every collection of young garbage. (So it does with accessors, which no name helps.)
 */
const OLD = 'keeps what it refers to until the next full garbage collection: give it a name first'
const YOUNG = {
  'no-restricted-syntax': ['error',
    { selector: ':function AssignmentExpression[left.type="MemberExpression"] > :function.right', message: OLD }
  ]
}

const OF_TYPESCRIPT = [
  'AsyncGenerator', 'AsyncIterableIterator', 'Iterable', 'PromiseLike', 'PropertyDescriptorMap', 'RegExpExecArray'
]

/** What JSDoc names exists: types, parameters and tags. test/docs/comments.js follows each `import('./file').Name`. */
const JSDOC = {
  'jsdoc/check-param-names': ['error', { checkDestructured: false, disableMissingParamChecks: true }],
  'jsdoc/check-property-names': 'error',
  'jsdoc/check-tag-names': 'error',
  'jsdoc/check-template-names': 'error',
  'jsdoc/check-types': 'error',
  'jsdoc/implements-on-classes': 'error',
  'jsdoc/no-undefined-types': ['error', { definedTypes: OF_TYPESCRIPT }],
  'jsdoc/valid-types': 'error'
}

/** Tests make properties that misbehave. */
const ODD_ACCESSORS = { 'getter-return': 'off', 'no-setter-return': 'off', 'require-yield': 'off' }

/** Finds no code in TypeScript, as no parser of it is installed: rules of lines and blanks need none. */
const LINES_ALONE = {
  meta: { name: 'lines-alone' },
  parse (text) {
    const lines = text.split('\n')
    const loc = { start: { line: 1, column: 0 }, end: { line: lines.length, column: lines.at(-1).length } }
    return { type: 'Program', sourceType: 'module', body: [], tokens: [], comments: [], range: [0, text.length], loc }
  }
}

export default [
  { ignores: ['coverage/', '**/node_modules/', '**/.cache/', '**/.tmp/'] },
  js.configs.recommended,
  { plugins: { '@stylistic': stylistic }, rules: { ...LOOK, ...SENSE } },
  { files: ['test/**/*.js'], rules: ODD_ACCESSORS },
  { languageOptions: { globals: globals.node } },
  { files: ['**/*.js'], languageOptions: { sourceType: 'commonjs' } },
  { files: ['test/**/*.js'], languageOptions: { globals: globals.mocha } },
  {
    files: ['index.js', ...['bin', 'lib', 'perf', 'bench', 'tools', 'reliability'].map((folder) => `${folder}/**/*.js`)],
    rules: SIZES
  },
  { files: ['**/*.{ts,mts,cts}'], languageOptions: { parser: LINES_ALONE } },
  { files: ['test/**/*.{ts,mts,cts}'], rules: LINES },
  { files: ['lib/**/*.js'], plugins: { jsdoc }, settings: { jsdoc: { mode: 'typescript' } }, rules: { ...YOUNG, ...JSDOC } },
  { files: ['test/support/**/*.js', 'test/tools/**/*.js'], rules: LINES },
  { files: ['test/**/*.js'], ignores: ['test/support/**/*.js', 'test/tools/**/*.js'], rules: LINES_OF_TESTS }
]
