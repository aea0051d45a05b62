'use strict'

const assert = require('node:assert/strict')
const errors = require('../../lib/core/errors')

const rows = [
  ['unsupportedCharset', ['x'], 415, 'charset.unsupported', { charset: 'x' }],
  ['unsupportedCoding', ['x'], 415, 'encoding.unsupported', { encoding: 'x' }],
  ['codingRefused', ['gzip'], 415, 'encoding.unsupported', { encoding: 'gzip' }],
  ['declaredTooLarge', [9, 5], 413, 'entity.too.large', { expected: 9, length: 9, limit: 5 }],
  ['receivedTooLarge', [9, 5], 413, 'entity.too.large', { received: 9, limit: 5 }],
  ['lengthMismatch', [9, 5], 400, 'request.size.invalid', { expected: 9, length: 9, received: 5 }],
  ['aborted', [9, 5], 400, 'request.aborted', { code: 'ECONNABORTED', expected: 9, length: 9, received: 5 }],
  ['encodingSet', [], 500, 'stream.encoding.set', {}],
  ['notReadable', [], 500, 'stream.not.readable', {}],
  ['tooManyParameters', [], 413, 'parameters.too.many', {}],
  ['nestedTooDeep', [5], 400, 'entity.too.deep', { depth: 5 }],
  ['tooDeep', [], 400, 'querystring.parse.rangeError', {}]
]

describe('errors', () => {
  for (const [name, args, status, type, fields] of rows) {
    it(`${name} is a ${status} of type ${type}`, () => {
      const error = errors[name](...args)
      assert.equal(error.status, status)
      assert.equal(error.statusCode, status)
      assert.equal(error.expose, status < 500)
      assert.deepEqual({ ...error }, { message: error.message, type, ...fields })
    })
  }

  for (const [name, message] of [
    ['lengthMismatch', 'request size did not match content length'], ['aborted', 'request aborted'], ['encodingSet', 'stream encoding should not be set'],
    ['notReadable', 'stream is not readable'], ['tooManyParameters', 'too many parameters'], ['tooDeep', 'The input exceeded the depth'],
    ['nestedTooDeep', 'the JSON exceeded the depth'], ['declaredTooLarge', 'request entity too large'], ['receivedTooLarge', 'request entity too large']
  ]) {
    it(`${name} says "${message}"`, () => assert.equal(errors[name](9, 5).message, message))
  }

  it('has a row here for each factory', () => {
    const others = ['create', 'load', 'unparsable', 'unreadable', 'unshare', 'unverified']
    assert.deepEqual(Object.keys(errors).sort(), [...rows.map(([name]) => name), ...others].sort())
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

  describe('unshare', () => {
    it('gives each request an error object of its own', () => {
      const shared = Object.assign(new TypeError('no'), { type: 'own', more: 1 })
      const [first, second, third] = ['a', 'b', 'c'].map((body) => errors.unverified(errors.unshare(shared), Buffer.from(body)))
      assert.equal(first, shared)
      assert.deepEqual([first, second, third].map(({ body }) => String(body)), ['a', 'b', 'c'])
      for (const error of [second, third]) {
        assert.ok(error instanceof TypeError)
        assert.deepEqual([error.message, error.name, error.stack, error.more], [shared.message, 'TypeError', shared.stack, 1])
        assert.deepEqual([error.status, error.statusCode, error.expose, error.type], [403, 403, true, 'own'])
      }
    })

    it('derives an error from one without a message as well', () => {
      const shared = new Error()
      const [first, second] = [errors.unshare(shared), errors.unshare(shared)]
      assert.equal(first, shared)
      assert.notEqual(second, shared)
      assert.deepEqual([Object.getPrototypeOf(second), Object.hasOwn(second, 'message'), second.message], [shared, false, ''])
    })

    it('gives derived errors the message as an own property with the same flags', () => {
      const shared = new Error('no')
      const first = errors.unshare(shared)
      const { value, ...flags } = Object.getOwnPropertyDescriptor(errors.unshare(first), 'message')
      assert.deepEqual([value, flags], ['no', { writable: true, enumerable: false, configurable: true }])
    })

    it('lets a later use of the same error set another status and type', () => {
      const plain = new Error('no')
      errors.unverified(errors.unshare(plain), Buffer.from('a'))
      const later = errors.unparsable(errors.unshare(plain), 'b')
      assert.deepEqual([later.status, later.type, later.body], [400, 'entity.parse.failed', 'b'])
      const stated = Object.assign(new Error('no'), { statusCode: 422 })
      errors.unverified(errors.unshare(stated), Buffer.from('a'))
      assert.deepEqual(errors.unparsable(errors.unshare(stated), 'b').status, 422)
    })

    it('returns values unchanged that http-errors makes a new error of', () => {
      const revoked = Proxy.revocable({}, {})
      revoked.revoke()
      const evil = Object.defineProperty(new Error('no'), 'type', { get () { throw new Error('evil') } })
      for (const value of [null, undefined, 5, 'no', {}, Object.freeze(new Error('no')), revoked.proxy, evil]) {
        for (let i = 0; i < 2; i++) assert.equal(errors.unshare(value), value)
      }
    })
  })
})
