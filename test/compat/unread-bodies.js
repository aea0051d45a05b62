'use strict'

// What a handler has behind each parser, if nobody, another parser or a wrapper has read the body.

const assert = require('node:assert/strict')
const { text: consume } = require('node:stream/consumers')
const serverless = require('serverless-http')
const subject = require('fast-body-parser')
const multer = require('fast-body-parser/multer')
const exchange = require('../support/exchange')
const { messageOf } = require('../support/lanes')
const schemaOf = require('../support/schema-of')
const { form } = require('../support/upload')

const FORM_TYPE = 'multipart/form-data; boundary=b'
const JSON_TYPE = 'application/json'
const LINES_TYPE = 'application/x-ndjson'
const FORM = form(['own', '1'], ['photo', 'bytes', 'x'])

/** What was there before the parser: what runs, and what the request declares; without a type, the parser's own. */
const BEFORE = {
  nobody: {},
  'another parser': { run: subject.createParser({ type: () => true, parse: () => ['parsed'] }) },
  'a wrapper that leaves bytes': { run: readAll(Buffer.from('bytes')) },
  'code that leaves nothing': { run: readAll(undefined) },
  'nobody, another type': { type: 'text/plain', body: 'letters' },
  'text(), another type': { run: subject.text(), type: 'text/plain', body: 'letters' },
  'a wrapper, another type': { run: readAll(Buffer.from('bytes')), type: 'text/plain', body: 'letters' },
  'no content': { type: null, body: undefined },
  'no byte in chunks': { type: null, body: '', chunked: true },
  'serverless-http': { send: sendToLambda },
  'serverless-http, another type': { send: sendToLambda, type: 'text/plain', body: 'letters' }
}

/** A schema that takes anything but undefined. */
const schema = schemaOf((value) => {
  return value === undefined ? { issues: [{ message: 'missing' }] } : { value: mark(value) }
})

const photo = { files: { photo: { min: 1 } } }
const createOwn = (options) => subject.createParser({ type: 'a/b', parse: (text) => text, ...options })

/**
 * Parser -> its type, a body of it, what it makes of that, and what the handler has behind each of BEFORE, in their
 * order: `own`; `theirs`, which other code has left; `nothing`; or a status. `checked` by the schema.
 *
 * @type {[name: string, entry: Entry, type: string, body: string | Buffer, value: unknown, expected: string[]][]}
 */
const ROWS = [
  ['json', of(subject.json), JSON_TYPE, '{"own":1}', { own: 1 }],
  ['raw', of(subject.raw), 'application/octet-stream', 'own', Buffer.from('own')],
  ['text', of((options) => subject.text({ type: 'text/html', ...options })), 'text/html', 'own', 'own'],
  ['urlencoded', of(subject.urlencoded), 'application/x-www-form-urlencoded', 'own=1', { own: '1' }],
  ['createParser', of(createOwn), 'a/b', 'own', 'own']
].flatMap(([name, entry, ...facts]) => [
  [name, entry(), ...facts,
    'own', 'theirs', 'theirs', 'nothing', 'nothing', 'theirs', 'theirs', 'nothing', 'nothing', 'own', 'theirs'],
  [`${name} with schema`, entry({ schema }), ...facts,
    'own checked', 'theirs checked', 'theirs checked', 422, 415, 'theirs checked', 'theirs checked', 422, 422,
    'own checked', 415]
])

const forms = [FORM_TYPE, FORM, { own: '1' }]
ROWS.push(
  ['multipart', of(subject.multipart)(), ...forms,
    'own', 500, 500, 500, 'nothing', 'theirs', 'theirs', 'nothing', 'nothing', 'own', 'theirs'],
  ['multipart with schema', of(subject.multipart)({ schema }), ...forms,
    'own checked', 500, 500, 500, 415, 'theirs checked', 'theirs checked', 422, 422, 'own checked', 415],
  ['multipart with a required file', of(subject.multipart)(photo), ...forms,
    'own', 500, 500, 500, 415, 415, 415, 400, 400, 'own', 415],
  ['multipart with both', of(subject.multipart)({ ...photo, schema }), ...forms,
    'own checked', 500, 500, 500, 415, 415, 415, 400, 400, 'own checked', 415],
  ['parts()', parts(), ...forms,
    'own', 500, 500, 500, 415, 415, 415, 'nothing', 'nothing', 'own', 415],
  ['parts() with a required file', parts(photo), ...forms,
    'own', 500, 500, 500, 415, 415, 415, 400, 400, 'own', 415],
  ['the drop-in for multer', { middleware: multer().any(), take: ({ body }) => body }, FORM_TYPE, FORM,
    { own: '1' },
    'own', 500, 500, 500, 'nothing', 'theirs', 'theirs', 'nothing', 'nothing', 'own', 'theirs']
)

for (const [name, make, ...facts] of [
  ['ndjson', subject.ndjson, LINES_TYPE, '{"own":1}\n{"own":2}', [{ own: 1 }, { own: 2 }]],
  ['jsonArray', subject.jsonArray, JSON_TYPE, '[{"own":1},{"own":2}]', [{ own: 1 }, { own: 2 }]]
]) {
  const none = name === 'ndjson' ? 'nothing' : 400 // as `JSON.parse('')`
  const refused = [415, 415, 415, 415, 415, 415, none, none, 'own checked', 415]
  ROWS.push(
    [name, records(make), ...facts,
      'own', 500, 500, 500, 'nothing', 'theirs', 'theirs', 'nothing', 'nothing', 'own', 'theirs'],
    [`${name} with schema`, records(make, { schema }), ...facts, 'own checked', ...refused],
    [`read of ${name}`, readRecords(make), ...facts,
      'own', 500, 500, 500, 415, 415, 415, none, none, 'own', 415],
    [`read of ${name} with schema`, readRecords(make, { schema }), ...facts, 'own checked', ...refused]
  )
}

/**
 * @typedef {object} Entry
 * @property {Function} middleware
 * @property {(req: object, res: object) => unknown} take what the handler has, or a promise of it
 */

function of (make) {
  return (options) => ({ middleware: make(options), take: ({ body }) => body })
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

function records (make, options) {
  return { middleware: make(options), take: ({ body }) => collect(body ?? []) }
}

function readRecords (make, options) {
  const parser = make(options)
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
  const name = isSame(plain, own) ? 'own' : 'theirs'
  return isChecked ? `${name} checked` : name
}

function isSame (value, other) {
  const textOf = (value) => JSON.stringify(value)
  return textOf(value) === textOf(other)
}

/** @returns {Promise<string | number>} as in ROWS */
async function walk ({ middleware, take }, { run, send = sendOverHttp, ...message }, own) {
  let value
  const app = (req, res, next) => {
    const handle = async () => { value = await take(req, res) }
    const then = (error) => error ? next(error) : handle().then(() => next(), next)
    const parse = (error) => error ? next(error) : middleware(req, res, then)
    run === undefined ? parse() : run(req, res, parse)
  }
  const { status } = await send(app, message)
  return status ?? nameOf(value, own)
}

const headersOf = (type) => type === null ? {} : { 'Content-Type': type }

/** @returns {Promise<{ status?: number }>} of the error of `next` */
async function sendOverHttp (app, { type, ...message }) {
  const { error, hangs } = await exchange(app, messageOf({ headers: headersOf(type), ...message }))
  assert.equal(hangs, undefined)
  return error === 'none' ? {} : error
}

/** As the event of a Lambda, whose bytes are in `req.body` as well. */
async function sendToLambda (app, { type, body }) {
  let seen
  const handle = serverless((req, res) => app(req, res, (error = {}) => {
    seen = error
    res.end()
  }))
  const bytes = { body: Buffer.from(body).toString('base64'), isBase64Encoded: true }
  await handle({ httpMethod: 'POST', path: '/', headers: headersOf(type), requestContext: {}, ...bytes }, {})
  return seen
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
