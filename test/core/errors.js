'use strict'

const assert = require('node:assert/strict')
const createHttpError = require('http-errors')
const errors = require('../../lib/core/errors')
const within = require('../support/within')
const withoutTables = require('../support/without-tables')

/** [factory, arguments, status, type, message unless it depends on the arguments, fields] */
const rows = [
  ['unsupportedCharset', ['x'], 415, 'charset.unsupported', 'unsupported charset "X"', { charset: 'x' }],
  ['unsupportedCoding', ['x', ['gzip', 'br']], 415, 'encoding.unsupported', 'unsupported content encoding "x"',
    { encoding: 'x' }],
  ['codingRefused', ['gzip'], 415, 'encoding.unsupported', 'content encoding unsupported', { encoding: 'gzip' }],
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
    const made = within(Object.prototype, { get: 1 }, () => [make(), withoutTables('errors', make)])
    const expected = [['no', 413, true, 'own'], ['no', 403, true, 'entity.verify.failed']]
    assert.deepEqual(made.map((two) => two.map(({ message, status, expose, type }) => [message, status, expose, type])),
      [expected, expected])
  })

  const appError = (fields) => Object.assign(new Error('no'), fields)
  const ofApp = appError({ status: 422, type: 'own' })
  const thorny = Object.defineProperty(appError(), 'type', { get () { throw new Error('thorn') } })
  class AuthError extends Error { get status () { return 401 } }
  class LateError extends Error { get statusCode () { return 422 } }
  class OddError extends Error { get status () { return '401' } }

  /** [what was thrown, fields of the error for a text that cannot be parsed] */
  for (const [what, error, fields] of [
    ['null', null, { status: 400, message: 'Bad Request' }],
    ['undefined', undefined, { status: 400, message: 'Bad Request' }],
    ['a string', 'no', { status: 400, message: 'no', type: 'entity.parse.failed', body: 'text' }],
    ['an error with fields of its own', ofApp,
      { status: 422, statusCode: 422, expose: true, type: 'own', body: 'text' }],
    ['an error whose fields throw', thorny, { status: 400, message: 'no', type: 'entity.parse.failed', body: 'text' }],
    ['a frozen error', Object.freeze(appError()), { status: 400, message: 'no' }],
    ['a frozen error whose message is not a string', Object.freeze(appError({ message: 5 })),
      { message: 'Bad Request' }],
    ['a frozen error with a status', Object.freeze(appError({ statusCode: 422 })), { status: 422, message: 'no' }],
    ['an error that inherits its status', new LateError('why'), { status: 422, message: 'why' }],
    ['a status that is not an error', appError({ status: 200 }), { status: 400, statusCode: 400, expose: true }],
    ['a frozen status that is not an error', Object.freeze(appError({ status: 302 })),
      { status: 400, statusCode: 400, expose: true, message: 'no' }],
    ['a 400 of http-errors', createHttpError(400, 'no', { expose: false }),
      { expose: false, status: 400, type: 'entity.parse.failed' }]
  ]) {
    it(`makes an error of ${what}, or extends it`, () => {
      const made = errors.unparsable(error, 'text')
      for (const [name, value] of Object.entries(fields)) assert.equal(made[name], value, name)
    })
  }

  it('extends the error of the app itself, and keeps its status, if it is a number', () => {
    for (const make of [errors.unreadable, (error) => errors.unverified(error, Buffer.from('a'))]) {
      assert.equal(make(ofApp), ofApp)
      assert.equal(make(new AuthError('no')).status, 401)
    }
    assert.equal(errors.unverified(new OddError('no'), Buffer.from('a')).status, 403)
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

  it('names the content codings that a response to a 415 should name', () => {
    const fieldsFor = errors.trackParserErrors()
    assert.deepEqual(fieldsFor(errors.unsupportedCoding('x', ['gzip', 'br'])), { 'Accept-Encoding': 'gzip, br' })
    assert.deepEqual(fieldsFor(errors.codingRefused('gzip')), { 'Accept-Encoding': 'identity' })
  })
})
