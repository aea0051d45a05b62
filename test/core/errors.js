'use strict'

const assert = require('node:assert/strict')
const createHttpError = require('http-errors')
const errors = require('../../lib/core/errors')
const withoutTables = require('../support/without-tables')

/** [factory, arguments, status, type, message unless it depends on the arguments, fields] */
const rows = [
  ['unsupportedCharset', ['x'], 415, 'charset.unsupported', null, { charset: 'x' }],
  ['unsupportedCoding', ['x', ['gzip', 'br']], 415, 'encoding.unsupported', null, { encoding: 'x' }],
  ['codingRefused', ['gzip'], 415, 'encoding.unsupported', null, { encoding: 'gzip' }],
  ['declaredTooLarge', [9, 5], 413, 'entity.too.large', 'request entity too large',
    { expected: 9, length: 9, limit: 5 }],
  ['receivedTooLarge', [9, 5], 413, 'entity.too.large', 'request entity too large', { received: 9, limit: 5 }],
  ['lengthMismatch', [9, 5], 400, 'request.size.invalid', 'request size did not match content length',
    { expected: 9, length: 9, received: 5 }],
  ['aborted', [9, 5], 400, 'request.aborted', 'request aborted',
    { code: 'ECONNABORTED', expected: 9, length: 9, received: 5 }],
  ['unsupportedMediaType', ['a/b'], 415, 'media.type.unsupported', null, {}],
  ['tooManyRecords', [5, { line: 2, offset: 3 }], 413, 'records.too.many', 'too many records',
    { limit: 5, line: 2, offset: 3 }],
  ['tooManyWrongRecords', [5, { line: 2, offset: 3 }], 400, 'records.errors.too.many', null,
    { limit: 5, line: 2, offset: 3 }],
  ['recordsAbandoned', [], 400, 'records.abandoned', 'the records are not read to the end', {}],
  ['requestTimeout', [5], 408, 'request.timeout', 'request timeout', { received: 5 }],
  ['encodingSet', [], 500, 'stream.encoding.set', 'stream encoding should not be set', {}],
  ['notBytes', [5], 500, 'stream.not.readable', 'stream is not readable: it gave a chunk of type number', {}],
  ['notReadable', [], 500, 'stream.not.readable', 'stream is not readable', {}],
  ['readBefore', ['ndjson'], 500, 'stream.not.readable', null, {}],
  ['tooManyParameters', [], 413, 'parameters.too.many', 'too many parameters', {}],
  ['nestedTooDeep', [5], 400, 'entity.too.deep', 'the JSON exceeded the depth', { depth: 5 }],
  ['tooDeep', [], 400, 'querystring.parse.rangeError', 'The input exceeded the depth', {}]
]

describe('errors', () => {
  for (const [name, args, status, type, message, fields] of rows) {
    it(`${name} is a ${status} of type ${type}`, () => {
      const error = errors[name](...args)
      assert.equal(error.status, status)
      assert.equal(error.statusCode, status)
      assert.equal(error.expose, status < 500)
      assert.deepEqual({ ...error }, { message: message ?? error.message, type, ...fields })
    })
  }

  it('has a row here for each factory', () => {
    // compat/fetch-requests.js has the TypeErrors about what is not a request.
    const others = [
      'create', 'fetchRequest', 'isPrivate', 'isTooLarge', 'malformedType', 'notARequest', 'thrown',
      'trackParserErrors', 'unparsable', 'unreadable', 'unverified'
    ]
    assert.deepEqual(Object.keys(errors).sort(), [...rows.map(([name]) => name), ...others].sort())
  })

  it('keeps objects that were thrown, and makes a 500 of other values', () => {
    for (const value of [new Error('no'), Object.freeze({}), () => {}]) assert.equal(errors.thrown(value), value)
    for (const [value, message] of [
      [undefined, 'Internal Server Error'],
      [null, 'Internal Server Error'],
      [0, 'Internal Server Error'],
      ['route', 'route'],
      [Symbol('no'), 'Internal Server Error']
    ]) {
      const error = errors.thrown(value)
      assert.deepEqual([error instanceof Error, error.status, error.expose, error.message], [true, 500, false, message])
    }
  })

  it('makes an error where http-errors throws, as it does once an app has set Object.prototype.get', () => {
    errors.trackParserErrors() // errors are noted from now on
    const make = () => [errors.create(413, 'no', { type: 'own' }), errors.unverified('no', Buffer.from('x'))]
    const made = []
    Object.prototype.get = 1 // eslint-disable-line no-extend-native
    try {
      made.push(make(), withoutTables('errors', make))
    } finally {
      delete Object.prototype.get
    }
    const expected = [['no', 413, true, 'own'], ['no', 403, true, 'entity.verify.failed']]
    assert.deepEqual(made.map((two) => two.map(({ message, status, expose, type }) => [message, status, expose, type])),
      [expected, expected])
  })

  it('keeps the status of an error that cannot be extended', () => {
    class AuthError extends Error { get status () { return 401 } }
    class OddError extends Error { get status () { return '401' } }
    assert.equal(errors.unverified(new AuthError('no'), Buffer.from('a')).status, 401)
    assert.equal(errors.unverified(new OddError('no'), Buffer.from('a')).status, 403)
    assert.equal(errors.unreadable(new AuthError('no')).status, 401)
    assert.equal(errors.unparsable(Object.freeze(new Error('no')), 'text').status, 400)
    class LateError extends Error { get statusCode () { return 422 } }
    for (const error of [Object.freeze(Object.assign(new Error('why'), { statusCode: 422 })), new LateError('why')]) {
      const { status, message } = errors.unparsable(error, 'text')
      assert.deepEqual([status, message], [422, 'why'])
    }
  })

  it('extends the error of the app itself', () => {
    const inner = Object.assign(new Error('no'), { status: 422, type: 'own' })
    assert.equal(errors.unparsable(inner, 'text'), inner)
    assert.deepEqual({ ...inner }, { status: 422, statusCode: 422, expose: true, type: 'own', body: 'text' })
    assert.equal(errors.unreadable(inner), inner)
    assert.equal(errors.unverified(inner, Buffer.from('a')), inner)
  })

  it('takes errors of any kind for what cannot be parsed, even if their fields throw', () => {
    const thorny = Object.defineProperty(new Error('no'), 'type', { get () { throw new Error('thorn') } })
    for (const [error, message] of [[thorny, 'no'], [null, 'Bad Request'], [undefined, 'Bad Request'], ['no', 'no']]) {
      const made = errors.unparsable(error, 'text')
      assert.deepEqual([made.status, made.type, made.body, made.message], [400, 'entity.parse.failed', 'text', message])
    }
  })

  it('makes the same errors although nobody asks which are its own', () => {
    withoutTables('errors', () => {
      for (const [name, args, , type] of rows) assert.equal(errors[name](...args).type, type)
    })
  })

  it('trackParserErrors tells what was created or extended here', () => {
    const before = withoutTables('errors', errors.notReadable)
    const inner = new Error('no')
    const fieldsFor = errors.trackParserErrors()
    const isOurs = (error) => fieldsFor(error) !== undefined
    for (const error of [
      errors.notReadable(),
      errors.unparsable(inner, 'text'),
      errors.unverified(null, Buffer.from('a')),
      errors.create(422, 'no', {})
    ]) {
      assert.equal(isOurs(error), true)
    }
    const copied = Object.assign(new Error('no'), errors.notReadable())
    const inherited = Object.create(errors.notReadable())
    for (const value of [new Error('no'), copied, inherited, null, undefined, 'no', before]) {
      assert.equal(isOurs(value), false)
    }
    assert.equal(isOurs(inner), true)
  })

  it('takes the message of what http-errors cannot extend only if it is a string', () => {
    assert.equal(errors.unparsable(Object.freeze(Object.assign(new Error('no'), { message: 5 })), 'text').message,
      'Bad Request')
    assert.equal(errors.unparsable(Object.freeze(new Error('frozen')), 'text').message, 'frozen')
  })

  it('names the content codings that a response to a 415 should name', () => {
    const fieldsFor = errors.trackParserErrors()
    assert.deepEqual(fieldsFor(errors.unsupportedCoding('x', ['gzip', 'br'])), { 'Accept-Encoding': 'gzip, br' })
    assert.deepEqual(fieldsFor(errors.codingRefused('gzip')), { 'Accept-Encoding': 'identity' })
  })

  it('makes a 400 of what was thrown with a status that is not an error', () => {
    for (const status of [200, 302]) {
      for (const wrap of [(error) => error, Object.freeze]) {
        const error = errors.unparsable(wrap(Object.assign(new Error('no'), { status })), 'text')
        assert.deepEqual([error.status, error.statusCode, error.expose, error.message], [400, 400, true, 'no'])
      }
    }
  })

  it('keeps what a 400 of http-errors says of itself', () => {
    const { expose, status, type } = errors.unparsable(createHttpError(400, 'no', { expose: false }), 'text')
    assert.deepEqual([expose, status, type], [false, 400, 'entity.parse.failed'])
  })

  it('has a message for what the client sent', () => {
    assert.equal(errors.unsupportedCharset('x-b').message, 'unsupported charset "X-B"')
    assert.equal(errors.unsupportedCoding('x-b', []).message, 'unsupported content encoding "x-b"')
    assert.equal(errors.codingRefused('gzip').message, 'content encoding unsupported')
  })
})
