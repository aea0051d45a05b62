'use strict'

const assert = require('node:assert/strict')
const { createExchange } = require('../../support/create-exchange')

/** An exchange, and what its guard was told. */
function open (settings) {
  const told = []
  const note = (name) => (...args) => { told.push([name, ...args]) }
  const fault = new Error('no more')
  const guard = {
    hold: (bytes) => { told.push(['hold', bytes]); return bytes > 5 ? fault : null },
    completed: note('completed'),
    discarded: note('discarded'),
    drained: note('drained'),
    ended: note('ended')
  }
  return { exchange: createExchange({}, { ...settings, createGuard: () => guard }), fault, told }
}

describe('GuardedExchange', () => {
  it('asks its guard whether it may hold more', () => {
    const { exchange, fault, told } = open()
    assert.deepEqual([exchange.hold(1), exchange.hold(6)], [null, fault])
    assert.deepEqual(told, [['hold', 1], ['hold', 6]])
  })

  it('asks its guard about each chunk that is within the limit', () => {
    const { exchange, fault, told } = open()
    assert.deepEqual([exchange.receive(1, 10), exchange.receive(6, 10)], [null, fault])
    assert.equal(exchange.receive(5, 10).type, 'entity.too.large')
    assert.deepEqual([exchange.received, told], [12, [['hold', 1], ['hold', 6]]])
  })

  it('tells its guard what becomes of the content, and that it ends before next is called', () => {
    for (const end of [
      (exchange) => exchange.parser.Exchange.succeed(exchange),
      (exchange) => exchange.fail(new Error('x'))
    ]) {
      const { exchange, told } = open({ next: () => told.push(['next']) })
      exchange.complete(3)
      exchange.discarded()
      exchange.drained(4)
      end(exchange)
      assert.deepEqual([exchange.decoded, told],
        [3, [['completed'], ['discarded'], ['drained', 4], ['ended'], ['next']]])
    }
  })
})
