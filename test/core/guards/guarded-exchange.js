'use strict'

const assert = require('node:assert/strict')
const { EventEmitter } = require('node:events')
const { createExchange } = require('../../support/create-exchange')

/** An exchange, and what its guards were told. */
function open (settings, req = {}) {
  const told = []
  const note = (name) => (...args) => { told.push([name, ...args]) }
  const fault = new Error('no more')
  const reservation = {
    reserve: (bytes) => { told.push(['reserve', bytes]); return bytes > 5 ? fault : null },
    end: note('end'),
    release: note('release')
  }
  const deadline = { countDrained: note('countDrained'), release: note('release') }
  const createGuards = () => ({ deadline, reservation })
  return { exchange: createExchange(req, { ...settings, createGuards }), fault, told }
}

describe('GuardedExchange', () => {
  it('asks its budget whether it may hold more', () => {
    const { exchange, fault, told } = open()
    assert.deepEqual([exchange.reserve(1), exchange.reserve(6)], [null, fault])
    assert.deepEqual(told, [['reserve', 1], ['reserve', 6]])
  })

  it('asks its budget about each chunk that is within the limit', () => {
    const { exchange, fault, told } = open()
    assert.deepEqual([exchange.receive(1, 10), exchange.receive(6, 10)], [null, fault])
    assert.equal(exchange.receive(5, 10).type, 'entity.too.large')
    assert.deepEqual([exchange.received, told], [12, [['reserve', 1], ['reserve', 6]]])
  })

  it('tells its budget whether what was held back flows again, and whether all has arrived', () => {
    const { exchange, exchange: { req } } = open()
    for (const [readableFlowing, complete] of [[null, false], [false, true], [true, true]]) {
      Object.assign(req, { readableFlowing, complete })
      assert.deepEqual([exchange.isFlowing, exchange.isWhole], [readableFlowing, complete])
    }
  })

  it('is told that its client has left until the content is not needed, and kept no longer by the connection', () => {
    for (const isNeeded of [true, false]) {
      const errors = []
      const socket = new EventEmitter()
      const { exchange } = open({}, { headers: {}, socket })
      if (!isNeeded) exchange.releaseContent()
      exchange.beginStep((error) => errors.push(error.type))
      socket.emit('close')
      assert.deepEqual(errors, isNeeded ? ['request.aborted'] : [])
    }
  })

  it('tells its guards what becomes of the content, and that it ends before next is called', () => {
    for (const end of [
      (exchange) => exchange.parser.Exchange.end(exchange),
      (exchange) => exchange.fail(new Error('x'))
    ]) {
      const { exchange, told } = open({ next: () => told.push(['next']) })
      exchange.setDecoded(3)
      exchange.releaseContent()
      exchange.countDrained(4)
      end(exchange)
      assert.deepEqual([exchange.decoded, told],
        [3, [['end'], ['release'], ['countDrained', 4], ['release'], ['next']]])
    }
  })
})
