'use strict'

const assert = require('node:assert/strict')
const { execFileSync } = require('node:child_process')
const path = require('node:path')
const oracle = require('body-parser')
const subject = require('fast-body-parser')
const confusesKeys = require('../support/confuses-keys')

const ROOT = path.join(__dirname, '../..')
const NAMES = ['json', 'raw', 'text', 'urlencoded']

/** Runs a script in a new process; gives what it prints. */
function run (script, { type = 'commonjs', env = {} } = {}) {
  return execFileSync(process.execPath, [`--input-type=${type}`, '--eval', script], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { ...process.env, NODE_V8_COVERAGE: '', ...env }
  }).trim()
}

/** Files of node_modules and of this package that a script loads. */
function loaded (script) {
  const print = 'console.log(JSON.stringify(Object.keys(require.cache)))'
  return JSON.parse(run(`${script}; ${print}`))
}

const packagesOf = (files) => new Set(files.map((file) => /node_modules\/([^/]+)/.exec(file)?.[1]).filter(Boolean))

describe('exports', () => {
  it('are a function that throws, like those of body-parser', () => {
    for (const bodyParser of [subject, oracle]) {
      assert.equal(bodyParser.name, 'bodyParser')
      assert.equal(bodyParser.length, 0)
      const message = 'The bodyParser() generic has been split into individual middleware to use instead.'
      assert.throws(() => bodyParser(), { name: 'Error', message })
      assert.throws(() => new bodyParser(), { name: 'Error', message })
    }
  })

  it('have the factories as plain properties', () => {
    assert.deepEqual(Object.keys(subject),
      [...NAMES, 'createParser', 'multipart', 'ndjson', 'jsonArray', 'createBudget', 'problemDetails',
        'refuseUnparsed'])
    for (const name of NAMES) {
      const { value, ...flags } = Object.getOwnPropertyDescriptor(subject, name)
      assert.deepEqual(flags, { writable: true, enumerable: true, configurable: true })
      assert.equal(value.name, name)
      assert.equal(value.length, 1)
    }
  })

  for (const name of NAMES) {
    it(`${name}() makes a middleware with the name and length of body-parser's`, () => {
      for (const options of [undefined, null, 5, 'text', true, {}]) {
        const [ours, theirs] = [subject[name](options), oracle[name](options)]
        assert.equal(ours.name, `${name}Parser`)
        assert.equal(ours.name, theirs.name)
        assert.equal(ours.length, 3)
      }
    })

    it(`the middleware of ${name}() returns nothing`, () => {
      const req = { headers: {}, complete: false, socket: { readable: true } }
      assert.equal(subject[name]()(req, {}, () => 'value'), undefined)
    })

    it(`fast-body-parser/${name} and its long paths are the property ${name}`, () => {
      const paths = [name, `lib/types/${name}`, `lib/types/${name}.js`]
      for (const subpath of paths) assert.equal(require(`fast-body-parser/${subpath}`), subject[name])
    })
  }

  // [parser, its file, its folder]
  for (const [name, file, folder] of [['multipart', 'multipart', 'uploads'], ['ndjson', 'ndjson', 'ndjson'],
    ['jsonArray', 'json-array', 'json-array']]) {
    it(`include ${name}, of which nothing is loaded before it is used`, () => {
      for (const subpath of [file, `lib/types/${file}`, `lib/types/${file}.js`]) {
        assert.equal(require(`fast-body-parser/${subpath}`), subject[name])
      }
      const isOfIt = (loaded) => path.relative(ROOT, loaded).includes(path.join('/', folder, '/'))
      assert.equal(loaded("require('fast-body-parser').json()").some(isOfIt), false)
      assert.equal(loaded(`require('fast-body-parser').${name}()`).some(isOfIt), true)
    })
  }

  it('include package.json', () => {
    assert.equal(require('fast-body-parser/package.json').name, 'fast-body-parser')
  })

  it('include lib/read, the function that reads one request, as in body-parser', () => {
    for (const name of ['fast-body-parser', 'body-parser']) {
      const read = require(`${name}/lib/read`)
      assert.equal(require(`${name}/lib/read.js`), read)
      assert.equal(read.name, 'read')
    }
  })

  it('include no other path', () => {
    for (const subpath of ['lib/core/errors', 'index', 'index.js', 'lib', 'nothing']) {
      assert.throws(() => require(`fast-body-parser/${subpath}`), { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' })
    }
  })

  it('can be imported by name', () => {
    const script = `
      import bodyParser, { json, raw, text, urlencoded } from 'fast-body-parser'
      import alone from 'fast-body-parser/json'
      console.log(bodyParser.json === json, bodyParser.raw === raw, bodyParser.text === text,
        bodyParser.urlencoded === urlencoded, alone === json)`
    assert.equal(run(script, { type: 'module' }), 'true true true true true')
  })

  it('load no other parser, and no qs, for a JSON parser', () => {
    const files = loaded("require('fast-body-parser/json')()")
    const own = files.filter((file) => !file.includes('node_modules')).map((file) => path.relative(ROOT, file))
    const forKeys = confusesKeys() ? 6 : 0
    assert.ok(own.length <= 28 + forKeys, `${own.length} modules`)
    const others = /[/\\](form|web|slices|answers)[/\\]|options[/\\]guards|urlencoded/
    assert.deepEqual(own.filter((file) => others.test(file)), [])
    const packages = packagesOf(files)
    for (const name of ['qs', 'type-is', 'debug', 'secure-json-parse']) assert.ok(!packages.has(name), name)
  })

  it('load at most 40 files for the four parsers of body-parser', () => {
    const files = loaded("const parsers = require('fast-body-parser'); " +
      `for (const name of ${JSON.stringify(NAMES)}) parsers[name]()`)
    const own = files.filter((file) => !file.includes('node_modules')).map((file) => path.relative(ROOT, file))
    const forKeys = confusesKeys() ? 6 : 0
    assert.ok(own.length <= 40 + forKeys, `${own.length} modules: ${own.join(', ')}`)
  })
})
