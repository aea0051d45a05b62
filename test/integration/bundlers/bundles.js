'use strict'

// Bundles that are run: all that is loaded only when it is needed must be in them, so each bundle answers a request for
// each of these packages, in a folder where nothing is found but itself.

const assert = require('node:assert/strict')
const { isBuiltin } = require('node:module')
const path = require('node:path')
const zlib = require('node:zlib')
const esbuild = require('esbuild')
const { rollup } = require('rollup')
const commonjs = require('@rollup/plugin-commonjs')
const json = require('@rollup/plugin-json')
const { nodeResolve } = require('@rollup/plugin-node-resolve')
const { serve } = require('../support/program')
const { createFolder, place, remove } = require('../support/project')

const LISTEN = `
createServer((req, res) => {
  const run = (i) => (error) => {
    if (error) res.end(JSON.stringify({ status: error.status, type: error.type }))
    else if (i < parsers.length) parsers[i](req, res, run(i + 1))
    else res.end(JSON.stringify({ body: req.body }))
  }
  run(0)()
}).listen(3000)
`
const SERVER = `
const parsers = [
  json({ limit: '1mb', onProtoPoisoning: 'error' }),
  urlencoded({ extended: true }),
  text({ type: ['txt', '+xml'] }),
  raw({ type: 'bin' }),
  createParser({ type: 'text/upper', parse: (text) => text.toUpperCase() })
]
${LISTEN}`
const files = {
  'entry.cjs': `const { createServer } = require('node:http')
const { json, raw, text, urlencoded, createParser } = require('fast-body-parser')
${SERVER}`,
  'entry.mjs': `import { createServer } from 'node:http'
import bodyParser, { json, raw, text, urlencoded } from 'fast-body-parser'
const { createParser } = bodyParser
${SERVER}`,
  'alone.mjs': `import { createServer } from 'node:http'
import json from 'fast-body-parser/json'
import raw from 'fast-body-parser/raw'
import text from 'fast-body-parser/text'
import urlencoded from 'fast-body-parser/urlencoded'
import createParser from 'fast-body-parser/custom'
${SERVER}`,
  'lean.cjs': `const { createServer } = require('node:http')
const parsers = [require('fast-body-parser/json')({ limit: 1024 })]
${LISTEN}`
}

const JSON_TYPE = { 'content-type': 'application/json' }
const GZIP = { ...JSON_TYPE, 'content-encoding': 'gzip' }
const typed = (type) => ({ 'content-type': type })
const large = JSON.stringify(Array.from({ length: 20_000 }, (_, i) => i * 7919 % 10_007))

/** Each needs what its name says. */
const requests = {
  nothing: [JSON_TYPE, '{"a":1}', { body: { a: 1 } }],
  'secure-json-parse and http-errors': [JSON_TYPE, '{"__proto__":1}', { status: 400, type: 'entity.parse.failed' }],
  'raw-body': [GZIP, zlib.gzipSync(large), { body: JSON.parse(large) }],
  qs: [typed('application/x-www-form-urlencoded'), 'a[b][]=1', { body: { a: { b: ['1'] } } }],
  'type-is': [typed('image/svg+xml'), '<svg/>', { body: '<svg/>' }],
  'iconv-lite': [typed('text/plain; charset=windows-1251'), Buffer.of(0xcf, 0xf0), { body: 'Пр' }],
  'a table of iconv-lite': [typed('text/plain; charset=shift_jis'), Buffer.of(0x93, 0xfa), { body: '日' }],
  'no package, in a parser of one\'s own': [typed('text/upper'), 'é', { body: 'É' }]
}

const ofLean = {
  JSON: [JSON_TYPE, '{"a":"é"}', { body: { a: 'é' } }],
  gzip: [GZIP, zlib.gzipSync('[1]'), { body: [1] }],
  'what is not JSON': [JSON_TYPE, '{', { status: 400, type: 'entity.parse.failed' }],
  'what is too large': [JSON_TYPE, `["${'x'.repeat(1024)}"]`, { status: 413, type: 'entity.too.large' }]
}

async function withEsbuild (file, options) {
  const { outputFiles: [{ text }], warnings } = await esbuild.build({
    entryPoints: [file],
    bundle: true,
    platform: 'node',
    logLevel: 'silent',
    write: false,
    ...options
  })
  assert.deepEqual(warnings, [])
  return text
}

async function withRollup (file, format) {
  const bundle = await rollup({
    input: file,
    external: (name) => isBuiltin(name),
    plugins: [
      nodeResolve({ preferBuiltins: true, exportConditions: ['node'] }),
      commonjs({ ignoreDynamicRequires: false }),
      json()
    ],
    // The tree of qs has circular dependencies.
    onwarn: ({ code, message }) => { if (code !== 'CIRCULAR_DEPENDENCY') throw new Error(message) }
  })
  const { output: [{ code }] } = await bundle.generate({ format, inlineDynamicImports: true })
  await bundle.close()
  return code
}

// esbuild's ES modules need a require for Node's own modules: this is its documented way.
const BANNER = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" }
const LEAN = ['debug', 'qs', 'secure-json-parse', 'type-is']

/** What -> its source, how it is built, and its requests */
const bundles = {
  'esbuild: CommonJS, minified': ['entry.cjs', (file) => withEsbuild(file, { format: 'cjs', minify: true })],
  'esbuild: an ES module': ['entry.mjs', (file) => withEsbuild(file, { format: 'esm', banner: BANNER })],
  'esbuild: subpaths': ['alone.mjs', (file) => withEsbuild(file, { format: 'esm', banner: BANNER })],
  'esbuild, without what JSON does not need': [
    'lean.cjs', (file) => withEsbuild(file, { format: 'cjs', external: LEAN }), ofLean
  ],
  'rollup: an ES module': ['entry.mjs', (file) => withRollup(file, 'es')],
  'rollup: CommonJS': ['entry.mjs', (file) => withRollup(file, 'cjs')]
}

describe('bundle', function () {
  this.timeout(120_000) // ms; npm packs, rollup reads hundreds of files

  const folders = []

  before(async () => {
    folders.push(await place(files), createFolder())
  })

  after(() => folders.forEach(remove))

  for (const [name, [entry, build, rows = requests]] of Object.entries(bundles)) {
    it(`by ${name}, answers`, async () => {
      const code = await build(path.join(folders[0], entry))
      await serve(folders[1], code, async (url, log) => {
        for (const [what, [headers, body, expected]] of Object.entries(rows)) {
          const response = await fetch(url, { method: 'POST', headers, body })
          assert.deepEqual(await response.json(), expected, what)
        }
        assert.equal(log(), '')
      })
    })
  }

  it('traces, by debug', async () => {
    const code = await withEsbuild(path.join(folders[0], 'entry.cjs'), { format: 'cjs' })
    await serve(folders[1], code, async (url, log) => {
      await fetch(url, { method: 'POST', headers: JSON_TYPE, body: '{}' })
      assert.match(log(), /body-parser:json content-type "application\/json"/)
    }, { DEBUG: 'body-parser:json' })
  })
})
