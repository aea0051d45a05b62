'use strict'

// Sends a marked text through every place that a client fills, and looks for it where errors show text: in messages, in
// the first lines of stacks, and in the answers of problemDetails(). It is bounded there, and begins no line.

const assert = require('node:assert/strict')
const { PassThrough } = require('node:stream')
const { setTimeout: delay } = require('node:timers/promises')
const { z } = require('zod')
const bodyParser = require('../..')
const multer = require('../../lib/types/multer')
const web = require('../../lib/web')
const HANG_TIME = require('../support/hang-time')

const {
  jsonArray,
  json,
  multipart,
  ndjson,
  problemDetails,
  refuseUnparsed,
  urlencoded,
  createParser
} = bodyParser

const LENGTH = 2000
const RUN = 'ж' // of which there are so many
const MARK = `\u001B[31m\r\nforged line\u0007\u202E\u2028"'\\${RUN.repeat(LENGTH)}`
const VISIBLE = MARK.replace(/\p{Cc}/gu, '') // for what may have no control characters
const ASCII = `'!#$&'${'x'.repeat(LENGTH)}` // for a token
const MOST = 300 // characters

/** A field of a request has a character for each byte. */
const fieldText = (value) => Buffer.from(value).toString('latin1')

// Messages of body-parser that the drop-in reproduces as they are, however long a text they have.
const OF_BODY_PARSER = [
  ['json, urlencoded and text: a charset', /^unsupported charset "/],
  ['json, raw, text and urlencoded: a content coding', /^unsupported content encoding "/]
]
// The engine's message, which quotes a few characters as they are: body-parser passes it on, and jsonArray() as well.
const OF_ENGINE = [SyntaxError, / (?:in JSON at position \d+|is not valid JSON|JSON input)|^JSON Parse error/, 100]

const hide = (line) => line.replace(new RegExp(`[${RUN}x]{3,}`, 'gu'), '~')

function check (where, shown, most = MOST) {
  assert.equal(typeof shown, 'string', where)
  const beginning = JSON.stringify(hide(shown.slice(0, 500)))
  assert.ok(shown.length <= most, `${where} has ${shown.length} characters: ${beginning}`)
  assert.doesNotMatch(shown, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u, `${where}: ${JSON.stringify(hide(shown))}`)
}

const firstLine = ({ stack }) => stack.slice(0, stack.search(/\n {4}at |$/))

/** Which exception the error is, if it is one. */
function exceptionOf (error, isOfBodyParser) {
  const [Type, pattern, most] = OF_ENGINE
  if (!isOfBodyParser) return null
  if (error instanceof Type && pattern.test(error.message)) return { most }
  const row = OF_BODY_PARSER.find(([, pattern]) => pattern.test(error.message))
  return row === undefined ? null : { most: Infinity }
}

/** @returns {Promise<string>} what problemDetails() answers */
const problemOf = (error) => new Promise((resolve) => {
  const res = { headersSent: false, setHeader () {}, removeHeader () {}, end: resolve }
  problemDetails()(error, {}, res, () => resolve('{}'))
})

/** Every text in it. */
const textsIn = (value) => typeof value === 'string' ? [value] : Object.values(Object(value)).flatMap(textsIn)

async function checkError (error, isOfBodyParser) {
  const exception = exceptionOf(error, isOfBodyParser)
  if (exception !== null) return assert.ok(error.message.length <= exception.most, `${error.message.length} characters`)
  check('the message', error.message)
  check('the stack', firstLine(error))
  const problem = JSON.parse(await problemOf(error))
  for (const shown of textsIn(problem)) check('the problem', shown, 1000)
}

/**
 * Sends each request to `ask`, and checks the errors that come of them.
 *
 * @param {(headers: object, body: string | Buffer) => unknown} ask gives the error, if there is one
 * @param {[what: string, headers: object, body: string | Buffer][]} requests
 * @param {boolean} [isOfBodyParser] whether its messages are body-parser's
 */
async function checkAll (ask, requests, isOfBodyParser) {
  let faults = 0
  for (const [what, headers, body] of requests) {
    const error = await ask(headers, body)
    if (!error) continue
    faults++
    await checkError(error, isOfBodyParser).catch((fault) => { throw new Error(`${what}: ${fault.message}`) })
  }
  assert.ok(faults > 0)
}

/** @returns {Promise<unknown>} the error; undefined if there is none */
async function run (handlers, headers, body) {
  const stream = new PassThrough()
  const req = Object.assign(stream, { complete: false, method: 'POST', url: '/', headers: { ...headers } })
  stream.once('end', () => { stream.complete = true })
  if (headers['content-length'] === undefined) req.headers['transfer-encoding'] ??= 'chunked'
  const result = callAll([handlers].flat(), req)
  stream.end(body)
  return Promise.race([result, delay(HANG_TIME, new Error('hangs'), { ref: false })])
}

/** Calls the first one at once. */
async function callAll (handlers, req) {
  for (const handler of handlers) {
    const error = await call(handler, req)
    if (error) return error
  }
}

const call = (handler, req) => new Promise((resolve) => handler(req, { setHeader () {} }, resolve))

/** A middleware that goes over what a parser gives. */
const loop = (parser, open = (req) => req.body) => (req, res, next) => {
  const go = async (error) => {
    if (error) return next(error)
    try {
      for await (const item of open(req, res)) {
        if (item?.error !== undefined) throw item.error // of onError: 'collect'
        item?.resume?.()
      }
      next()
    } catch (error) {
      next(error)
    }
  }
  if (parser === null) go()
  else parser(req, res, go)
}

const partsOf = (options) => {
  const parser = multipart(options)
  return loop(null, (req, res) => parser.parts(req, res))
}

// Value of a header field -> what it makes of the header.
const FIELDS = {
  'the media type': (type, mark) => ({ 'content-type': `${mark}/${mark}` }),
  charset: (type, mark) => ({ 'content-type': `${type}; boundary=b; charset="${mark}"` }),
  'a charset that begins like UTF-8': (type, mark) => ({ 'content-type': `${type}; boundary=b; charset=utf-${mark}` }),
  boundary: (type, mark) => ({ 'content-type': `${type}; boundary="${mark}"` }),
  'another parameter': (type, mark) => ({ 'content-type': `${type}; boundary=b; ${mark}=${mark}` }),
  'content-encoding': (type, mark) => ({ 'content-type': `${type}; boundary=b`, 'content-encoding': mark }),
  'content-length': (type, mark) => ({ 'content-type': `${type}; boundary=b`, 'content-length': mark }),
  'transfer-encoding': (type, mark) => ({ 'content-type': `${type}; boundary=b`, 'transfer-encoding': mark })
}

const headersOf = (type, marks) => Object.entries(FIELDS).flatMap(([field, headerOf]) =>
  marks.map((mark) => [field, headerOf(type, fieldText(mark)), '{}']))

const schema = z.strictObject({ a: z.string().max(5), n: z.number() })

// [what, media type, handlers, whether messages are body-parser's]
const ROOMS = [
  ['json with verify', 'application/json', json({ verify () {} }), true],
  ['json with a schema', 'application/json', json({ schema }), true],
  ['createParser', 'x/y', createParser({ type: 'x/y', parse: JSON.parse })],
  ['ndjson', 'application/x-ndjson', loop(ndjson())],
  ['jsonArray', 'application/json', loop(jsonArray())],
  ['multipart', 'multipart/form-data', multipart()],
  ['parts', 'multipart/mixed', partsOf()],
  ['/multer', 'multipart/form-data', multer().any()],
  ['refuseUnparsed', 'text/html', [json(), refuseUnparsed()]]
]

describe('text that a client chose', () => {
  for (const [room, type, handlers, isOfBodyParser] of ROOMS) {
    it(`is bounded in errors of a header: ${room}`, () =>
      checkAll((...request) => run(handlers, ...request), headersOf(type, [MARK, VISIBLE, ASCII]), isOfBodyParser))
  }

  const disposition = (more) => `Content-Disposition: form-data; ${more}`
  const mime = (...headers) =>
    Buffer.concat(headers.flatMap((header) =>
      [Buffer.from('--b\r\n'), Buffer.from(header), Buffer.from('\r\n\r\nx\r\n')]).concat(Buffer.from('--b--\r\n')))
  const named = (name) => mime(disposition(`name="${name}"`))
  const escaped = encodeURIComponent(MARK)
  const charsetField = (value) => Buffer.concat([
    Buffer.from(`--b\r\n${disposition('name="_charset_"')}\r\n\r\n`),
    Buffer.from(value),
    Buffer.from(`\r\n--b\r\n${disposition('name="a"')}\r\n\r\n1\r\n--b--\r\n`)
  ])

  /** [what, body] of a form, to each of `FORMS`. */
  const forms = [
    ...[MARK, VISIBLE, ASCII, escaped].flatMap((mark, at) => [
      [`a name ${at}`, named(mark)],
      [`a name that nests ${at}`, named(`a[${mark}][b]`)],
      [`a name of __proto__ ${at}`, named(`${mark}[__proto__]`)],
      [`a short name ${at}`, named(mark.slice(0, 90))],
      [`a file name ${at}`, mime(disposition(`name="f"; filename="${mark}"`))],
      [`a file name that is short ${at}`, mime(disposition(`name="f"; filename="${mark.slice(0, 90)}"`))],
      [`filename* ${at}`, mime(disposition(`name="f"; filename*=utf-8''${mark}`))],
      [`the charset of filename* ${at}`, mime(disposition(`name="f"; filename*=${mark}''x`))],
      [`the type of a file ${at}`, mime(`${disposition('name="f"; filename="x"')}\r\nContent-Type: ${mark}/${mark}`)],
      [`the charset of a part ${at}`, mime(`${disposition('name="f"')}\r\nContent-Type: text/plain; charset=${mark}`)],
      [`the encoding of a part ${at}`, mime(`${disposition('name="f"')}\r\nContent-Transfer-Encoding: ${mark}`)],
      [`a disposition ${at}`, mime(`Content-Disposition: ${mark}; name=a`)],
      [`the name of a header field ${at}`, mime(`${disposition('name="f"')}\r\n${mark}: x`)],
      [`_charset_ ${at}`, charsetField(mark.slice(0, 10_000))],
      [`a value ${at}`, Buffer.from(named('a').toString().replace('\r\nx\r\n', () => `\r\n${mark}${mark}\r\n`))],
      [`no form ${at}`, Buffer.from(mark)]
    ])
  ]
  const large = { limit: '4mb', parts: { header: '1mb', name: '900kb' } }
  const FORMS = [
    ['multipart', multipart()],
    ['multipart with large limits', multipart({ ...large, extended: true, depth: 1, fields: { max: 1, size: 5 } })],
    ['multipart with rules',
      multipart({ ...large, fields: { max: 0 }, files: { f: { types: ['image/png'], size: 0 } } })],
    ['multipart with a schema', multipart({ ...large, fields: { size: '1mb' }, schema })],
    ['parts', partsOf(large)],
    ['/multer', multer().any()],
    ['/multer with limits', multer({
      limits: { fieldSize: 5, fileSize: 0, fieldNameSize: Infinity, fieldNestingDepth: 1 }
    }).single('a')]
  ]
  for (const [room, handler] of FORMS) {
    it(`is bounded in errors of forms: ${room}`, () => {
      const headers = { 'content-type': 'multipart/form-data; boundary=b' }
      return checkAll((...request) => run(handler, ...request), forms.map(([what, body]) => [what, headers, body]))
    })
  }

  const quoted = JSON.stringify(MARK)
  const RECORDS = [
    `${MARK}`, `{${MARK}`, `{"a":${MARK}}`, quoted, `{${quoted}:${quoted}}`, `{"a":${quoted},"n":1}`, `[${quoted}`,
    `{"__proto__":${quoted}}`, `{${quoted}:{"__proto__":1}}`, `{"n":1,"n":${quoted}}`, `{"a":"${MARK}"}`,
    `[[[${quoted}]]]`, `{${quoted}:1,${quoted}:2}`
  ]
  const strict = { onProtoPoisoning: 'error', depth: 1 }
  // [room, media type, handlers, whether messages are the engine's, the body with a record]
  const VALUES = [
    ['json that checks', 'application/json', json({ ...strict, limit: '4mb' }), true],
    ['json in slices', 'application/json', json({ cooperative: { threshold: 1 }, limit: '4mb' }), true],
    ['json with a schema', 'application/json', json({ schema, limit: '4mb' }), true],
    ['ndjson that checks', 'application/x-ndjson', loop(ndjson({ ...strict, record: 5000 }))],
    ['ndjson that collects', 'application/x-ndjson', loop(ndjson({ ...strict, schema, onError: 'collect' }))],
    ['jsonArray below a path', 'application/json', loop(jsonArray({ path: '/a' })), true],
    ['urlencoded', 'application/x-www-form-urlencoded',
      urlencoded({ limit: '4mb', extended: true, depth: 1, parameterLimit: 2 }), false,
      (record) => `a[b][${record}]=${record}&${record}=1`]
  ]
  for (const [room, type, handler, isOfEngine, bodyOf = String] of VALUES) {
    it(`is bounded in errors of values: ${room}`, () => {
      const requests = RECORDS.map((record) => [hide(record), { 'content-type': type }, Buffer.from(bodyOf(record))])
      return checkAll((...request) => run(handler, ...request), requests, isOfEngine)
    })
  }

  for (const [room, type, parse] of [
    ['json', 'application/json', web.json({ schema })], // whose messages are not body-parser's
    ['urlencoded', 'application/x-www-form-urlencoded', web.urlencoded()],
    ['ndjson', 'application/x-ndjson', web.ndjson({ schema })],
    ['multipart', 'multipart/form-data', web.multipart({ schema })]
  ]) {
    it(`is bounded in errors of /web: ${room}`, () => {
      const ask = async (headers, body) => {
        try {
          const value = await parse(new Request('http://localhost', { method: 'POST', headers, body }))
          if (value?.[Symbol.asyncIterator]) for await (const item of value) assert.ok(item)
        } catch (error) {
          return error
        }
      }
      return checkAll(ask, headersOf(type, [VISIBLE, ASCII]))
    })
  }
})
