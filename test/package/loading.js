'use strict'

// Each module is loaded by the first request that needs it: in each row, nothing
// was parsed before.

const assert = require('node:assert/strict')
const path = require('node:path')
const { Readable } = require('node:stream')
const zlib = require('node:zlib')

const { setTimeout } = globalThis
const ROOT = path.join(__dirname, '../..')
const LIB = path.join(ROOT, 'lib') + path.sep
const FORM = 'application/x-www-form-urlencoded'

/** Timers that never fire, so that nothing is preloaded. */
const never = () => ({ unref () {} })

/** Runs with this package loaded anew; gives whether that loads the module as well. */
async function loads (name, act) {
  const file = require.resolve(name, { paths: [ROOT] })
  const set = Object.entries(require.cache).filter(([id]) => id === file || id.startsWith(LIB) || id === path.join(ROOT, 'index.js'))
  for (const [id] of set) delete require.cache[id]
  globalThis.setTimeout = never // captured by what is loaded now
  try {
    await act(require('../..'))
    return file in require.cache
  } finally {
    globalThis.setTimeout = setTimeout
    for (const id of Object.keys(require.cache)) {
      if (id.startsWith(LIB)) delete require.cache[id]
    }
    for (const [id, module] of set) require.cache[id] = module
  }
}

function parse (parser, type, body, headers) {
  const bytes = Buffer.from(body)
  const req = Object.assign(Readable.from([bytes.subarray(0, 2), bytes.subarray(2)]), {
    headers: { 'content-type': type, 'content-length': String(bytes.length), ...headers }
  })
  return new Promise((resolve, reject) => parser(req, {}, (error) => error ? reject(error) : resolve(req.body)))
}

// [what, module, whether it is loaded, parser, options, type, body, value of the body or status of the error, headers, DEBUG]
const rows = [
  ['a form without brackets', 'qs', false, 'urlencoded', {}, FORM, 'a=1', { a: '1' }],
  ['an extended form without brackets', 'qs', false, 'urlencoded', { extended: true }, FORM, 'a=1', { a: '1' }],
  ['a form with brackets', 'qs', true, 'urlencoded', { extended: true }, FORM, 'a[b]=1', { a: { b: '1' } }],
  ['a form without its sentinel', 'qs', false, 'urlencoded', { charsetSentinel: true }, FORM, 'a=%26', { a: '&' }],
  ['a form with its sentinel', 'qs', true, 'urlencoded', { charsetSentinel: true }, FORM, 'utf8=%E2%9C%93&a=1', { a: '1' }],
  ['a form of a sentinel without the option', 'qs', false, 'urlencoded', { interpretNumericEntities: true }, FORM, 'utf8=1', { utf8: '1' }],
  ['a form without entities', 'qs', false, 'urlencoded', { interpretNumericEntities: true }, FORM, 'a=1', { a: '1' }],
  ['a form with entities', 'qs', true, 'urlencoded', { interpretNumericEntities: true, defaultCharset: 'iso-8859-1' }, FORM, 'a=%26%239786;', { a: '☺' }],
  ['UTF-8', 'iconv-lite', false, 'text', {}, 'text/plain', 'é', 'é'],
  ['ISO-8859-1', 'iconv-lite', false, 'text', {}, 'text/plain; charset=iso-8859-1', Buffer.of(0x61, 0xE9), 'aé'],
  ['another charset', 'iconv-lite', true, 'text', {}, 'text/plain; charset=windows-1252', Buffer.of(0x61, 0x80), 'a€'],
  ['a limit that is a number', 'bytes', false, 'text', { limit: 3, drainLimit: 3 }, 'text/plain', 'abc', 'abc'],
  ['a limit that is a string', 'bytes', true, 'text', { limit: '3b' }, 'text/plain', 'abc', 'abc'],
  ['a media type', 'type-is', false, 'text', { type: 'text/html' }, 'text/html', 'abc', 'abc'],
  ['some media types', 'type-is', false, 'text', { type: ['application/vnd.api+json', 'x-a/b'] }, 'application/vnd.api+json', 'abc', 'abc'],
  ['a function for the type', 'type-is', false, 'text', { type: () => true }, 'a/b', 'abc', 'abc'],
  ['a pattern', 'type-is', true, 'text', { type: 'text/*' }, 'text/html', 'abc', 'abc'],
  ['a pattern among media types', 'type-is', true, 'text', { type: ['text/html', '+json'] }, 'a/b+json', 'abc', 'abc'],
  ['a short name', 'type-is', true, 'text', { type: 'html' }, 'text/html', 'abc', 'abc'],
  ['a body without fault', 'http-errors', false, 'json', {}, 'application/json', '[1]', [1]],
  ['an error', 'http-errors', true, 'json', {}, 'application/json', '[1', 400],
  ['JSON of any depth', './lib/extras/max-depth', false, 'json', {}, 'application/json', '[1]', [1]],
  ['JSON of limited depth', './lib/extras/max-depth', true, 'json', { depth: 1 }, 'application/json', '[1]', [1]],
  ['JSON without the option onProtoPoisoning', 'secure-json-parse', false, 'json', {}, 'application/json', '[1]', [1]],
  ['JSON with the option onProtoPoisoning', 'secure-json-parse', true, 'json', { onProtoPoisoning: 'error' }, 'application/json', '[1]', [1]],
  ['bodies without the option buffered', './lib/extras/buffered', false, 'json', {}, 'application/json', '[1]', [1]],
  ['bodies with the option buffered', './lib/extras/buffered', true, 'json', { buffered: true }, 'application/json', '[1]', [1]],
  ['bodies without the option cooperative', './lib/extras/cooperative', false, 'json', {}, 'application/json', '[1]', [1]],
  ['bodies with the option cooperative', './lib/extras/cooperative', true, 'json', { cooperative: true }, 'application/json', '[1]', [1]],
  ['a body without coding', './lib/core/inflate', false, 'json', {}, 'application/json', '[1]', [1]],
  ['a coded body', './lib/core/inflate', true, 'json', {}, 'application/json', zlib.gzipSync('[1]'), [1], { 'content-encoding': 'gzip' }],
  ['a small coded body', 'raw-body', false, 'json', {}, 'application/json', zlib.gzipSync('[1]'), [1], { 'content-encoding': 'gzip' }],
  ['a coded body of unknown length', 'raw-body', true, 'json', {}, 'application/json', zlib.gzipSync('[1]'), [1], { 'content-encoding': 'gzip', 'transfer-encoding': 'chunked' }],
  ['a body without DEBUG', 'debug', false, 'json', {}, 'application/json', '[1]', [1]],
  ['a body with DEBUG', 'debug', true, 'json', {}, 'application/json', '[1]', [1], {}, 'others:*']
]

describe('modules that are loaded', () => {
  const { DEBUG } = process.env

  afterEach(() => {
    if (DEBUG === undefined) delete process.env.DEBUG
    else process.env.DEBUG = DEBUG
  })

  for (const [what, name, expected, parser, options, type, body, outcome, headers, traced] of rows) {
    it(`${expected ? 'include' : 'do not include'} ${name} for ${what}`, async () => {
      if (traced === undefined) delete process.env.DEBUG
      else process.env.DEBUG = traced
      const loaded = await loads(name, async (subject) => {
        const result = parse(subject[parser](options), type, body, headers)
        if (typeof outcome === 'number') await assert.rejects(result, { status: outcome })
        else assert.deepEqual(await result, outcome)
      })
      assert.equal(loaded, expected)
    })
  }
})
