'use strict'

// What a handler has behind each parser, if nobody, another parser or a wrapper has read the body.

const assert = require('node:assert/strict')
const { text: consume } = require('node:stream/consumers')
const subject = require('fast-body-parser')
const multer = require('fast-body-parser/multer')
const exchange = require('../support/exchange')
const { messageOf } = require('../support/lanes')
const schemaOf = require('../support/schema-of')
const { form } = require('../support/upload')

const FORM_TYPE = 'multipart/form-data; boundary=b'
const FORM = form(['own', '1'], ['photo', 'bytes', 'x'])

/** What was there before the parser: what runs, and what the request declares; without a type, the parser's own. */
const BEFORE = {
  nobody: {},
  'another parser': { run: subject.createParser({ type: () => true, parse: () => ['parsed'] }) },
  'code that leaves nothing': { run: readAll(undefined) },
  'nobody, another type': { type: 'text/plain', body: 'letters' },
  'a wrapper that leaves bytes, another type': { run: readAll(Buffer.from('bytes')), type: 'text/plain', body: 'x' },
  'no content': { type: null, body: undefined },
  'no byte in chunks': { type: null, body: '', chunked: true }
}

/** A schema that takes anything but undefined. */
const schema = schemaOf((value) => {
  return value === undefined ? { issues: [{ message: 'missing' }] } : { value: mark(value) }
})

const photo = { files: { photo: { min: 1 } } }
const json = ['application/json', '{"own":1}', { own: 1 }]
const forms = [FORM_TYPE, FORM, { own: '1' }]
const lines = ['application/x-ndjson', '{"own":1}\n{"own":2}', [{ own: 1 }, { own: 2 }]]

/**
 * Parser -> its type, a body of it, what it makes of that, and what the handler has behind each of BEFORE, in their
 * order: `own`; `theirs`, which other code has left; `nothing`; or a status. `checked` by the schema.
 */
const ROWS = [
  ['json', of(subject.json()), ...json, 'own', 'theirs', 'nothing', 'nothing', 'theirs', 'nothing', 'nothing'],
  ['json with schema', of(subject.json({ schema })), ...json,
    'own checked', 'theirs checked', 422, 415, 'theirs checked', 422, 422],
  ['multipart', of(subject.multipart()), ...forms, 'own', 500, 500, 'nothing', 'theirs', 'nothing', 'nothing'],
  ['multipart with schema', of(subject.multipart({ schema })), ...forms,
    'own checked', 500, 500, 415, 'theirs checked', 422, 422],
  ['multipart with a required file, and schema', of(subject.multipart({ ...photo, schema })), ...forms,
    'own checked', 500, 500, 415, 415, 400, 400],
  ['parts()', parts(), ...forms, 'own', 500, 500, 415, 415, 'nothing', 'nothing'],
  ['parts() with a required file', parts(photo), ...forms, 'own', 500, 500, 415, 415, 400, 400],
  ['the drop-in for multer', of(multer().any()), ...forms, 'own', 500, 500, 'nothing', 'theirs', 'nothing', 'nothing'],
  ['ndjson', records(), ...lines, 'own', 500, 500, 'nothing', 'theirs', 'nothing', 'nothing'],
  ['ndjson with schema', records({ schema }), ...lines, 'own checked', 415, 415, 415, 415, 'nothing', 'nothing'],
  ['read of ndjson', readRecords(), ...lines, 'own', 500, 500, 415, 415, 'nothing', 'nothing'],
  ['read of ndjson with schema', readRecords({ schema }), ...lines,
    'own checked', 415, 415, 415, 415, 'nothing', 'nothing']
]

/** A parser, and what the handler has behind it, or a promise of it. */
function of (middleware) {
  return { middleware, take: ({ body }) => body }
}

function parts (options) {
  const parser = subject.multipart(options)
  const take = async (req, res) => {
    const fields = {}
    for await (const { field, name, value } of parser.parts(req, res)) if (name === undefined) fields[field] = value
    return Object.keys(fields).length > 0 ? fields : undefined
  }
  return { middleware: (req, res, next) => next(), take }
}

function records (options) {
  return { middleware: subject.ndjson(options), take: ({ body }) => collect(body ?? []) }
}

function readRecords (options) {
  const parser = subject.ndjson(options)
  return { middleware: (req, res, next) => next(), take: async (req, res) => collect(await parser.read(req, res)) }
}

async function collect (iterable) {
  const items = []
  for await (const item of iterable) items.push(item)
  return items.length > 0 ? items : undefined
}

/** Code that reads the request after some time, and leaves a value. */
function readAll (value) {
  return async (req, res, next) => {
    await consume(req)
    if (value !== undefined) req.body = value
    next()
  }
}

function mark (value) {
  return { checked: value }
}

/** What the handler has, in a word or two. */
function nameOf (value, own) {
  const isChecked = value?.checked !== undefined || value?.[0]?.checked !== undefined
  const plain = Array.isArray(value) ? value.map((item) => item?.checked ?? item) : value?.checked ?? value
  if (plain === undefined) return 'nothing'
  const name = JSON.stringify(plain) === JSON.stringify(own) ? 'own' : 'theirs'
  return isChecked ? `${name} checked` : name
}

/** @returns {Promise<string | number>} as in ROWS */
async function walk ({ middleware, take }, { run = (req, res, next) => next(), type, ...message }, own) {
  let value
  const app = (req, res, next) => {
    const handle = async () => { value = await take(req, res) }
    const then = (error) => error ? next(error) : handle().then(() => next(), next)
    run(req, res, (error) => error ? next(error) : middleware(req, res, then))
  }
  const headers = type === null ? {} : { 'Content-Type': type }
  const { error, hangs } = await exchange(app, messageOf({ headers, ...message }))
  assert.equal(hangs, undefined)
  return error.status ?? nameOf(value, own)
}

describe('a body that the parser may not have read', () => {
  for (const [name, entry, type, body, value, ...expected] of ROWS) {
    it(`is read, refused or left by ${name}`, async () => {
      const seen = {}
      for (const [before, message] of Object.entries(BEFORE)) {
        seen[before] = await walk(entry, { type, body, ...message }, value)
      }
      assert.deepEqual(seen, Object.fromEntries(Object.keys(BEFORE).map((before, index) => [before, expected[index]])))
    })
  }
})
