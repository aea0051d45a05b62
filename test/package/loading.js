'use strict'

// Modules are loaded when a parser is made, if its options may need them; no request loads one: requests.js.

const assert = require('node:assert/strict')
const path = require('node:path')
const { inspect } = require('node:util')
require('body-parser') // with its packages: one that `anew` loads first would keep another copy of http-errors
const confusesKeys = require('../support/confuses-keys')
const schemaOf = require('../support/schema-of')
const { builtins } = require('../support/where')

const ROOT = path.join(__dirname, '../..')
const LIB = path.join(ROOT, 'lib') + path.sep

/** Whether this package, loaded anew, loads the module as well when this is done. */
function loads (name, make) {
  const file = require.resolve(name, { paths: [ROOT] })
  return anew(() => {
    make(require('../..'))
    return file in require.cache
  }, file)
}

/** What `act` returns, before which nothing of this package is loaded, nor the file. */
function anew (act, file) {
  const set = Object.entries(require.cache)
    .filter(([id]) => id === file || id.startsWith(LIB) || id === path.join(ROOT, 'index.js'))
  for (const [id] of set) delete require.cache[id]
  try {
    return act()
  } finally {
    for (const id of Object.keys(require.cache)) {
      if (id.startsWith(LIB)) delete require.cache[id]
    }
    for (const [id, module] of set) require.cache[id] = module
  }
}

const SCHEMA = schemaOf((value) => ({ value }))
const json = (options) => ({ json }) => json(options)
const text = (options) => ({ text }) => text(options)
const urlencoded = (options) => ({ urlencoded }) => urlencoded(options)
const web = (make) => () => make(require('../../lib/web'))

// [module, what does not need it, a function that does not load it, what needs it, a function that loads it]
const rows = [
  ['http-errors', 'no parser', () => {}, 'any parser', text()],
  ['http-errors', 'no parser of /web', web(() => {}), 'any parser of /web', web(({ raw }) => raw())],
  ['http-errors', 'no ndjson of /web', web(() => {}), 'ndjson of /web', web(({ ndjson }) => ndjson())],
  ['iconv-lite', 'bytes of /web', web(({ raw }) => raw()), 'JSON of /web', web(json())],
  ['qs', 'JSON', json(), 'a form', urlencoded()],
  ['iconv-lite', 'forms', urlencoded(), 'a text', text()],
  ['iconv-lite', 'ISO-8859-1', urlencoded({ defaultCharset: 'iso-8859-1' }), 'JSON', json()],
  ['bytes', 'a limit that is a number', text({ limit: 3, drainLimit: 3 }), 'a limit that is a string',
    text({ limit: '3b' })],
  ['bytes', 'a limit', text({ limit: 3 }), 'a limit that is a function', text({ limit: () => '3b' })],
  ['type-is', 'a media type', text({ type: 'text/html' }), 'a pattern', text({ type: 'text/*' })],
  ['type-is', 'some media types', text({ type: ['a/b+json', 'x-a/b'] }), 'a pattern among them',
    text({ type: ['text/html', '+json'] })],
  ['type-is', 'a function for the type', text({ type: () => true }), 'a short name', text({ type: 'html' })],
  ['type-is', 'multipart', ({ multipart }) => multipart(), 'refuseUnparsed', ({ refuseUnparsed }) => refuseUnparsed()],
  ['type-is', 'ndjson', ({ ndjson }) => ndjson(), 'a schema', json({ schema: SCHEMA })],
  ['raw-body', 'inflate: false', json({ inflate: false }), 'content codings', json()],
  ['debug', 'no DEBUG', json(), 'DEBUG', withDebug(json())],
  ['secure-json-parse', "onProtoPoisoning: 'ignore'", json({ onProtoPoisoning: 'ignore' }), 'onProtoPoisoning',
    json({ onProtoPoisoning: 'error' })],
  ['./lib/options/parse', 'any depth', json({ depth: Infinity }), 'a depth', json({ depth: 1 })],
  ['./lib/options/empty', 'JSON', json(), 'empty', json({ empty: undefined })],
  ['./lib/formats/json/cooperative', 'cooperative: false', json({ cooperative: false }), 'cooperative',
    json({ cooperative: true })],
  ['./lib/uploads/form/form', 'JSON', json(), 'multipart', ({ multipart }) => multipart()],
  ['./lib/records/ndjson/line-records', 'jsonArray', ({ jsonArray }) => jsonArray(), 'ndjson',
    ({ ndjson }) => ndjson()],
  ['./lib/records/json-array/array-items', 'ndjson', ({ ndjson }) => ndjson(), 'jsonArray',
    ({ jsonArray }) => jsonArray()],
  ['./lib/core/lifetime/budget', 'JSON', json(), 'a budget', ({ createBudget }) => createBudget({ bytes: 1 })],
  ['./lib/options/parse', 'forms', urlencoded(), 'parse', urlencoded({ parse: String })],
  ['./lib/options/qs', 'forms', urlencoded(), 'qs', urlencoded({ extended: true, qs: {} })],
  ['./lib/options/buffered', 'buffered: false', json({ buffered: false }), 'buffered', json({ buffered: true })],
  ['./lib/options/raw-body', 'rawBody: false', json({ rawBody: false }), 'rawBody', json({ rawBody: true })],
  ['./lib/options/guards', 'no guard', json({ timeout: Infinity, minRate: 0 }), 'a guard', json({ timeout: 5 })],
  ['./lib/answers/schema', 'no schema', json({ schema: undefined }), 'a schema', json({ schema: SCHEMA })],
  ['./lib/core/body/wait-for-app', 'what is synchronous', json(), 'verify', json({ verify () {} })],
  ['./lib/core/warnings', 'options that it knows', json({ limit: 1, strict: false }),
    'an option that it does not know', json({ other: 1 })]
]

function withDebug (make) {
  return (subject) => {
    process.env.DEBUG = 'others:*'
    make(subject)
  }
}

describe('modules that are loaded when a parser is made', () => {
  const { DEBUG } = process.env

  beforeEach(() => { delete process.env.DEBUG })

  afterEach(() => {
    if (DEBUG === undefined) delete process.env.DEBUG
    else process.env.DEBUG = DEBUG
  })

  for (const [name, without, makeWithout, needed, make] of rows) {
    const { it } = name === 'iconv-lite' && needed.endsWith('of /web') ? builtins : globalThis
    it(`include ${name} for ${needed}, but not for ${without}`, () => {
      assert.deepEqual([loads(name, makeWithout), loads(name, make)], [false, true])
    })
  }
})

describe('files that are loaded', () => {
  const forKeys = confusesKeys() ? 6 : 0

  function filesOf (make) {
    const files = anew(() => {
      make()
      return Object.keys(require.cache).filter((id) => id.startsWith(LIB))
    })
    return files.map((file) => path.relative(LIB, file))
  }

  it('are at most 28 for json alone, and none of other parsers', () => {
    const files = filesOf(() => require('../../lib/types/json')())
    assert.ok(files.length <= 28 + forKeys, `${files.length}: ${files}`)
    const others = /^(answers|json-slices|records|uploads|web)\b|options[/\\]guards|urlencoded/
    assert.deepEqual(files.filter((file) => others.test(file)), [])
  })

  it('are at most 39 for the four parsers of body-parser', () => {
    const files = filesOf(() => {
      const subject = require('../..')
      for (const name of ['json', 'raw', 'text', 'urlencoded']) subject[name]()
    })
    assert.ok(files.length <= 39 + forKeys, `${files.length}: ${files}`)
  })
})

describe('console.log of a parser', () => {
  const parse = () => {}
  for (const [what, make] of Object.entries({
    'json() with options': json({ limit: 5, strict: false, buffered: true, timeout: 5, schema: SCHEMA }),
    'text()': text(),
    'urlencoded() with options': urlencoded({ extended: true, depth: 5, qs: {} }),
    'createParser()': ({ createParser }) => createParser({ type: 'a/b', parse }),
    'multipart() with options': ({ multipart }) => multipart({ files: { a: { size: 5 } }, extended: true }),
    'jsonArray()': ({ jsonArray }) => jsonArray({ path: '/a', onError: 'collect' }),
    'the drop-in for multer': () => require('../../lib/types/multer')().any()
  })) {
    it(`loads no module, as no file may be left to open within a request: ${what}`, () => {
      const loaded = anew(() => {
        const parser = make(require('../..'))
        const before = new Set(Object.keys(require.cache))
        inspect(parser)
        return Object.keys(require.cache).filter((id) => !before.has(id))
      })
      assert.deepEqual(loaded, [])
    })
  }
})
