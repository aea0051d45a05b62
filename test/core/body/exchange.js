'use strict'

const assert = require('node:assert/strict')
const { executionAsyncId } = require('node:async_hooks')
const { EventEmitter } = require('node:events')
const Exchange = require('../../../lib/core/body/exchange')
const { Match } = require('../../../lib/core/body/match')
const { createStorage } = require('../../support/async-storage')
const { createExchange } = require('../../support/create-exchange')

describe('Exchange', () => {
  it('has all its fields from the start, always in the same order', () => {
    const parts = { req: { headers: {} }, res: {}, next: () => {}, match: new Match({}), parser: { limit: Infinity } }
    const exchange = new Exchange(parts)
    assert.deepEqual(Object.entries(exchange), [
      ...Object.entries(parts), ['lane', 'identity'], ['limit', Infinity], ['isCoded', false], ['length', null],
      ['received', 0], ['decoded', null],
      ['controller', null], ['onAbort', null], ['mustClose', false], ['undo', null]
    ])
    const names = Object.keys(exchange)
    exchange.setLimit(5)
    exchange.setLane('stream')
    exchange.beginStep(() => {})
    exchange.count(1)
    exchange.setDecoded(1)
    assert.deepEqual(Object.keys(exchange), names)
    assert.throws(() => Exchange(parts), TypeError)
  })

  it('is an async resource of its own', () => {
    const exchange = createExchange({})
    assert.equal(exchange.runInAsyncScope(executionAsyncId), exchange.asyncId())
    assert.notEqual(exchange.asyncId(), executionAsyncId())
  })

  it('ends a step that a listener of its signal has ended already', () => {
    const errors = []
    const exchange = createExchange({})
    exchange.beginStep((error) => errors.push(error))
    exchange.signal.onabort = () => exchange.endStep()
    exchange.failStep('late', false)
    assert.deepEqual(errors, ['late'])
  })

  it('does not make a request complete whose client has left', () => {
    const stream = { closed: true, destroyed: true, once () {} }
    const req = { complete: false, httpVersionMajor: 2, socket: {}, stream, pause () {} }
    const errors = []
    const exchange = createExchange(req, { next: (error) => errors.push(error.type) })
    exchange.beginStep((error) => exchange.fail(error))
    exchange.onLeft()
    assert.deepEqual([errors, req.complete], [['request.aborted'], false])
  })

  it('calls next with nothing but the error', () => {
    const calls = []
    const exchange = createExchange({}, { next: (...args) => calls.push(args) })
    Exchange.end(exchange)
    exchange.fail('error')
    assert.deepEqual(calls, [[], ['error']])
  })

  it('calls next over HTTP/2 only when a stream that is closing is destroyed, in its async context', () => {
    for (const act of [Exchange.end, (exchange) => exchange.fail('error')]) {
      const storage = createStorage()
      const calls = []
      const stream = Object.assign(new EventEmitter(), { closed: true, destroyed: false })
      const req = { httpVersionMajor: 2, stream, resume: () => calls.push('resume') }
      const exchange = storage.run('request', () =>
        createExchange(req, { next: (...args) => calls.push([storage.getStore(), ...args]) }))
      act(exchange)
      assert.deepEqual(calls, ['resume'])
      stream.destroyed = true
      stream.emit('close')
      assert.deepEqual(calls.slice(1), [act === Exchange.end ? ['request'] : ['request', 'error']])
    }
  })

  it('calls next at once over HTTP/2 when a stream is closing whose response was being sent', () => {
    const calls = []
    const next = (...args) => calls.push(args)
    const stream = Object.assign(new EventEmitter(), { closed: true, destroyed: false, headersSent: true })
    Exchange.end(createExchange({ httpVersionMajor: 2, stream }, { next }))
    createExchange({ httpVersionMajor: 2, stream }, { next }).fail('error')
    assert.deepEqual(calls, [[], ['error']])
  })

  it('holds whatever it receives within the limit', () => {
    const exchange = createExchange({})
    assert.deepEqual([exchange.receive(5, 5), exchange.reserve(Infinity)], [null, null])
    assert.equal(exchange.receive(1, 5).type, 'entity.too.large')
  })
})
