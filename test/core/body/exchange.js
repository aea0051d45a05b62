'use strict'

const assert = require('node:assert/strict')
const { EventEmitter } = require('node:events')
const Exchange = require('../../../lib/core/body/exchange')
const { createStorage } = require('../../support/async-storage')
const { createExchange } = require('../../support/create-exchange')

describe('Exchange', () => {
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
})
