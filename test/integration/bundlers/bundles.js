'use strict'

// Bundles that are run: all that is loaded only when it is needed must be in
// them, so each bundle answers a request for each of these packages.

const assert = require('node:assert/strict')
const { fork } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const { isBuiltin } = require('node:module')
const os = require('node:os')
const path = require('node:path')
const zlib = require('node:zlib')
const esbuild = require('esbuild')
const { rollup } = require('rollup')
const commonjs = require('@rollup/plugin-commonjs')
const json = require('@rollup/plugin-json')
const { nodeResolve } = require('@rollup/plugin-node-resolve')
const { place, remove } = require('../support/project')

const SERVER = `
const parsers = [
  json({ limit: '1mb', onProtoPoisoning: 'error' }),
  urlencoded({ extended: true }),
  text({ type: ['txt', '+xml'] }),
  raw({ type: 'bin' }),
  createParser({ type: 'text/upper', parse: (text) => text.toUpperCase() })
]
const server = createServer((req, res) => {
  const run = (i) => (error) => {
    if (error) res.end(JSON.stringify({ status: error.status, type: error.type }))
    else if (i < parsers.length) parsers[i](req, res, run(i + 1))
    else res.end(JSON.stringify({ body: Buffer.isBuffer(req.body) ? req.body.toString('hex') : req.body }))
  }
  run(0)()
})
server.listen(0, '127.0.0.1', () => process.send(server.address().port))
`
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
${SERVER}`
}

files['lean.cjs'] = `const { createServer } = require('node:http')
const parsers = [require('fast-body-parser/json')({ limit: 1024 })]
${SERVER.slice(SERVER.indexOf('const server'))}`

const large = JSON.stringify(Array.from({ length: 20_000 }, (_, i) => i * 7919 % 10_007))

/** Each needs what its name says. */
const requests = {
  nothing: [{ 'content-type': 'application/json' }, '{"a":1}', { body: { a: 1 } }],
  'secure-json-parse and http-errors': [
    { 'content-type': 'application/json' }, '{"__proto__":1}', { status: 400, type: 'entity.parse.failed' }
  ],
  'raw-body': [
    { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    zlib.gzipSync(large),
    { body: JSON.parse(large) }
  ],
  qs: [{ 'content-type': 'application/x-www-form-urlencoded' }, 'a[b][]=1', { body: { a: { b: ['1'] } } }],
  'type-is': [{ 'content-type': 'image/svg+xml' }, '<svg/>', { body: '<svg/>' }],
  'iconv-lite': [{ 'content-type': 'text/plain; charset=windows-1251' }, Buffer.of(0xcf, 0xf0), { body: 'Пр' }],
  'iconv-lite, and a table of its own': [
    { 'content-type': 'text/plain; charset=shift_jis' },
    Buffer.of(0x93, 0xfa),
    { body: '日' }
  ],
  brotli: [
    { 'content-type': 'application/octet-stream', 'content-encoding': 'br' },
    zlib.brotliCompressSync(Buffer.of(1, 2)),
    { body: '0102' }
  ],
  'no package, in a parser of one\'s own': [{ 'content-type': 'text/upper' }, 'é', { body: 'É' }],
  'http-errors': [{ 'content-type': 'application/json; charset=x' }, '{}', { status: 415, type: 'charset.unsupported' }]
}

async function withEsbuild (folder, entry, output, options) {
  const { warnings } = await esbuild.build({
    absWorkingDir: folder,
    entryPoints: [
      entry
    ],
    outfile: path.join(folder, output),
    bundle: true,
    platform: 'node',
    logLevel: 'silent',
    ...options
  })
  assert.deepEqual(warnings, [])
}

async function withRollup (folder, entry, output, format) {
  const bundle = await rollup({
    input: path.join(folder, entry),
    external: (name) => isBuiltin(name),
    plugins: [
      nodeResolve({ preferBuiltins: true, exportConditions: ['node'] }),
      commonjs({ ignoreDynamicRequires: false }),
      json()
    ],
    // The tree of qs has circular dependencies.
    onwarn: ({ code, message }) => { if (code !== 'CIRCULAR_DEPENDENCY') throw new Error(message) }
  })
  await bundle.write({ file: path.join(folder, output), format, inlineDynamicImports: true })
  await bundle.close()
}

// esbuild's ES modules need a require for Node's own modules: this is its documented way.
const BANNER = { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" }

const bundles = {
  'esbuild: CommonJS': ['out/a.cjs', (folder, output) => withEsbuild(folder, 'entry.cjs', output, { format: 'cjs' })],
  'esbuild: CommonJS, minified': [
    'out/b.cjs', (folder, output) => withEsbuild(folder, 'entry.cjs', output, { format: 'cjs', minify: true })
  ],
  'esbuild: an ES module to CommonJS': [
    'out/c.cjs', (folder, output) => withEsbuild(folder, 'entry.mjs', output, { format: 'cjs' })
  ],
  'esbuild: an ES module': [
    'out/d.mjs', (folder, output) => withEsbuild(folder, 'entry.mjs', output, { format: 'esm', banner: BANNER })
  ],
  'esbuild: subpaths': [
    'out/e.mjs', (folder, output) => withEsbuild(folder, 'alone.mjs', output, { format: 'esm', banner: BANNER })
  ],
  'rollup: an ES module': ['out/f.mjs', (folder, output) => withRollup(folder, 'entry.mjs', output, 'es')],
  'rollup: CommonJS': ['out/g.cjs', (folder, output) => withRollup(folder, 'entry.mjs', output, 'cjs')],
  'rollup: subpaths': ['out/h.mjs', (folder, output) => withRollup(folder, 'alone.mjs', output, 'es')]
}

describe('bundle', function () {
  this.timeout(60_000) // ms; npm packs, rollup reads hundreds of files

  let folder

  before(async () => {
    folder = await place(files)
  })

  after(() => remove(folder))

  for (const [name, [output, build]] of Object.entries(bundles)) {
    it(`by ${name}, answers`, async () => {
      await build(folder, output)
      const server = await start(path.join(folder, output))
      try {
        for (const [what, [headers, body, expected]] of Object.entries(requests)) {
          const response = await server.ask({ method: 'POST', headers, body })
          assert.deepEqual(await response.json(), expected, what)
        }
      } finally {
        await server.stop()
      }
      assert.equal(server.stderr(), '')
    })
  }

  it('without what JSON does not need, answers', async () => {
    const external = ['debug', 'qs', 'secure-json-parse', 'type-is']
    await withEsbuild(folder, 'lean.cjs', 'out/lean.cjs', { format: 'cjs', external })
    const server = await start(path.join(folder, 'out/lean.cjs'))
    const type = { 'content-type': 'application/json' }
    const cases = [
      [type, '{"a":"é"}', { body: { a: 'é' } }],
      [{ ...type, 'content-encoding': 'gzip' }, zlib.gzipSync('[1]'), { body: [1] }],
      [type, '{', { status: 400, type: 'entity.parse.failed' }],
      [type, `["${'x'.repeat(1024)}"]`, { status: 413, type: 'entity.too.large' }],
      [{ 'content-type': 'text/plain' }, 'text', {}]
    ]
    try {
      for (const [headers, body, expected] of cases) {
        assert.deepEqual(await (await server.ask({ method: 'POST', headers, body })).json(), expected)
      }
    } finally {
      await server.stop()
    }
  })

  it('traces, by debug', async () => {
    const server = await start(path.join(folder, bundles['esbuild: CommonJS'][0]), { DEBUG: 'body-parser:json' })
    await server.ask({ method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
    await server.stop()
    assert.match(server.stderr(), /body-parser:json content-type "application\/json"/)
  })
})

/** Runs a bundle in a folder where nothing is found but itself. */
async function start (bundle, env = { DEBUG: '' }) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'integration-bundle-'))
  const file = path.join(folder, path.basename(bundle))
  fs.copyFileSync(bundle, file)
  const child = fork(file, { execArgv: [], env: { ...process.env, ...env }, silent: true })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (chunk) => { stderr += chunk })
  const closed = once(child, 'close')
  const failed = closed.then(() => { throw new Error(`the bundle ended: ${stderr}`) })
  failed.catch(() => {}) // it is ended by stop, too
  const stop = async () => {
    child.kill()
    await closed
    fs.rmSync(folder, { recursive: true })
  }
  try {
    const [port] = await Promise.race([once(child, 'message'), failed])
    const ask = (init) => Promise.race([fetch(`http://127.0.0.1:${port}/`, init), failed])
    return { ask, stop, stderr: () => stderr }
  } catch (error) {
    await stop()
    throw error
  }
}
