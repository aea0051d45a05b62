'use strict'

// The parsers that body-parser does not have, and requests made of a stream and a few fields.

const assert = require('node:assert/strict')
const { Readable } = require('node:stream')
const zlib = require('node:zlib')
const theirMulter = require('multer')
const subject = require('fast-body-parser')
const multer = require('fast-body-parser/multer')
const { RESPONSES, SHAPES, createRequest, isSkipped, outcome } = require('../support/bare-request')
const schemaOf = require('../support/schema-of')

const LINES = Buffer.from('{"a":1}\n{"a":2}\n')
const FORM = Buffer.from([
  '--b', 'Content-Disposition: form-data; name="a"', '', '1',
  '--b', 'Content-Disposition: form-data; name="f"; filename="f.txt"', '', 'content', '--b--', ''
].join('\r\n'))

const JSON_LINES = { 'content-type': 'application/x-ndjson' }
const FORM_DATA = { 'content-type': 'multipart/form-data; boundary=b' }
const schema = schemaOf((value) => ({ value }))
const ofAnyType = { type: () => true }

/** A middleware that leaves what `loop` gives in `req.body`. */
const collect = (loop) => (req, res, next) => {
  const all = async (items) => {
    req.body = []
    for await (const item of items) req.body.push(item)
  }
  const items = loop(req, res)
  const read = typeof items.then === 'function' ? items.then(all) : all(items)
  read.then(() => next(), next)
}

const readRecords = (options) => {
  const parser = subject.ndjson(options)
  return collect((req, res) => new Promise((resolve, reject) => {
    parser(req, res, (error) => error ? reject(error) : resolve(req.body ?? []))
  }))
}

const readParts = (options) => {
  const parser = subject.multipart(options)
  return collect((req, res) => parser.parts(req, res))
}

const readText = (options) => {
  const parser = subject.text({ ...ofAnyType, ...options })
  return (req, res, next) => parser.read(req, res).then(() => next(), next)
}

/** Each option that makes a parser look at more of a request. */
const createGuarded = (options) => subject.createParser({
  ...ofAnyType,
  parse: async (text) => text,
  budget: subject.createBudget({ bytes: '1mb' }),
  rawBody: 'coded',
  timeout: 60_000,
  verify: async () => {},
  ...options
})

/** @type {Record<string, [make: (options: object) => Function, headers: object, body: Buffer]>} */
const PARSERS = {
  'createParser with guards': [createGuarded, JSON_LINES, LINES],
  'text with buffered': [(options) => subject.text({ ...ofAnyType, buffered: true, ...options }), JSON_LINES, LINES],
  'cooperative json': [(options) => subject.json({ ...ofAnyType, cooperative: true, ...options }), JSON_LINES,
    Buffer.from('[1234567890]')],
  'read of text': [readText, JSON_LINES, LINES],
  'a loop over records': [readRecords, JSON_LINES, LINES],
  multipart: [(options) => subject.multipart(options), FORM_DATA, FORM],
  'a loop over parts': [readParts, FORM_DATA, FORM]
}

/** Its parsers have no other answer than it has. */
const OF_BODY_PARSER = /\b(json|text)\b/

/** Status, or what else the app sees. */
async function resultOf (parser, headers, body, shape, res, send = (req) => req.end(body)) {
  const seen = await outcome(parser, createRequest(shape, headers), res, send)
  if (typeof seen === 'string') return seen
  return seen.error === 'none' ? 'none' : seen.error.status
}

const lengthOf = (body) => ({ 'content-length': String(body.length) })
const CHUNKED = { 'transfer-encoding': 'chunked' }
const abort = (body) => (req) => {
  req.write(body.subarray(0, 5))
  setImmediate(() => req.destroy())
}

/** What each parser answers to a body. */
const casesOf = (body) => {
  const coded = zlib.gzipSync(body)
  const gzip = { 'content-encoding': 'gzip' }
  return {
    'a body': [lengthOf(body), body, {}, 'none'],
    'a length that is a number': [{ 'content-length': body.length }, body, {}, 'none'],
    'a body in chunks': [CHUNKED, body, {}, 'none'],
    'a coded body': [{ ...gzip, ...lengthOf(coded) }, coded, {}, 'none'],
    'a body over the limit by its bytes': [CHUNKED, body, { limit: 6 }, 413],
    'a body over the limit, of which nothing is drained': [lengthOf(body), body, { limit: 6, drainLimit: 0 }, 413],
    'a corrupt coded body': [{ ...gzip, ...lengthOf(body) }, body, {}, 400],
    'a coding that is a number': [{ 'content-encoding': 7, ...lengthOf(body) }, body, {}, 'TypeError'],
    'a body that is aborted': [{ 'content-length': '999' }, body, {}, 400, abort(body)]
  }
}

const ANSWERS = Object.values(RESPONSES)

/** Chunks in object mode that are neither bytes nor a string. body-parser and multer throw out of an event. */
const NO_BYTES = {
  'an object without a prototype': Object.create(null),
  'an object whose fields throw': new Proxy({}, { get () { throw new Error('a field') } }),
  'a symbol': Symbol('chunk')
}

const CODINGS = { identity: Buffer.from, gzip: zlib.gzipSync }

describe('bare requests of other parsers', () => {
  for (const [what, chunk] of Object.entries(NO_BYTES)) {
    it(`call next once, with a 500, for a chunk that is ${what}`, async () => {
      for (const [name, [make, type, content]] of Object.entries(PARSERS)) {
        for (const [coding, encode] of Object.entries(CODINGS)) {
          const coded = encode(content)
          const req = new Readable({ objectMode: true, read () {} })
          Object.assign(req, { headers: { ...type, ...CHUNKED, 'content-encoding': coding } })
          const send = () => {
            for (const piece of [coded.subarray(0, 5), chunk, coded.subarray(5), null]) req.push(piece)
          }
          const { error: { status, type: errorType } } = await outcome(make({}), req, {}, send)
          assert.deepEqual([status, errorType], [500, 'stream.not.readable'], `${name}, ${coding}`)
        }
      }
    })
  }

  for (const [s, [what, shape]] of Object.entries(SHAPES).entries()) {
    // Every other case, and one response, in turn: there is every pair of a shape, a response, a body and a parser.
    it(`call next once, with the error: ${what}`, async () => {
      for (const [p, [name, [make, type, content]]] of Object.entries(PARSERS).entries()) {
        for (const [c, [body, facts]] of Object.entries(casesOf(content)).entries()) {
          const [headers, bytes, options, expected, send] = facts
          const turn = s + p + c
          if (turn % 2 === 1) continue
          const res = ANSWERS[turn % ANSWERS.length]
          const seen = await resultOf(make(options), { ...type, ...headers }, bytes, shape, res, send)
          const isPassedOn = isSkipped(shape()) && OF_BODY_PARSER.test(name)
          assert.equal(seen, isPassedOn ? 'none' : expected, `${name}, ${body}`)
        }
      }
    })

    it(`have the same outcome as with multer: ${what}`, async () => {
      const ask = async (multer, field) => {
        const req = createRequest(shape, { ...FORM_DATA, ...CHUNKED })
        const { error, body } = await outcome(multer().single(field), req, ANSWERS[s % ANSWERS.length], send)
        return { message: error.message, code: error.own?.code, body, file: req.file?.buffer }
      }
      const send = (req) => req.end(FORM)
      for (const field of ['f', 'other']) assert.deepEqual(await ask(multer, field), await ask(theirMulter, field))
    })
  }

  it('are refused by a schema and by refuseUnparsed, without a response to name the types in', async () => {
    for (const res of ANSWERS) {
      for (const [parser, type] of [
        [subject.json({ schema }), 'a/b'], [subject.refuseUnparsed(), 'a/b'], [subject.refuseUnparsed(), 7]
      ]) {
        const req = createRequest(SHAPES['no socket'], { 'content-type': type, 'content-length': '15' })
        assert.equal((await outcome(parser, req, res, () => {})).error.status, 415)
      }
    }
  })

  it('pass an error on where problemDetails has no response', async () => {
    const handler = subject.problemDetails()
    const headers = { 'content-type': 'application/json; charset=x', 'content-length': '2' }
    for (const res of ANSWERS) {
      const req = createRequest(SHAPES['no socket'], headers)
      const error = await new Promise((resolve) => subject.json()(req, res, resolve))
      assert.equal(await new Promise((resolve) => handler(error, req, res, resolve)), error)
    }
  })
})
