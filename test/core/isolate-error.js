'use strict'

const assert = require('node:assert/strict')
const errors = require('../../lib/core/errors')
const isolateError = require('../../lib/core/isolate-error')

describe('async', () => {
  describe('isolateError', () => {
    it('derives an error from a DOMException, such as the reason of a signal that is shared', () => {
      const shared = AbortSignal.abort().reason
      const [first, second] = [isolateError(shared), isolateError(shared)].map((error) =>
        errors.unverified(error, Buffer.from('a')))
      assert.equal(first, shared)
      assert.notEqual(second, shared)
      assert.ok(second instanceof DOMException)
      for (const name of ['name', 'message', 'code', 'stack', 'status', 'type']) {
        assert.equal(second[name], shared[name], name)
      }
      assert.deepEqual([second.name, second.message, second.code, second.status],
        ['AbortError', 'This operation was aborted', 20, 403])
    })

    it('lets a later use of the same error set another status and type', () => {
      const plain = new Error('no')
      errors.unverified(isolateError(plain), Buffer.from('a'))
      const later = errors.unparsable(isolateError(plain), 'b')
      assert.deepEqual([later.status, later.type, later.body], [400, 'entity.parse.failed', 'b'])
      const stated = Object.assign(new Error('no'), { statusCode: 422 })
      errors.unverified(isolateError(stated), Buffer.from('a'))
      assert.deepEqual(errors.unparsable(isolateError(stated), 'b').status, 422)
    })

    it('returns values unchanged that http-errors makes a new error of', () => {
      const revoked = Proxy.revocable({}, {})
      revoked.revoke()
      const evil = Object.defineProperty(new Error('no'), 'type', { get () { throw new Error('evil') } })
      for (const value of [null, undefined, 5, 'no', {}, Object.freeze(new Error('no')), revoked.proxy, evil]) {
        for (let i = 0; i < 2; i++) assert.equal(isolateError(value), value)
      }
    })
  })
})
