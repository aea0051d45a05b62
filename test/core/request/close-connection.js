'use strict'

const assert = require('node:assert/strict')
const { EventEmitter } = require('node:events')
const { closeConnection } = require('../../../lib/core/request/drain')
const Clock = require('../../support/clock')

describe('closeConnection', () => {
  for (const [what, req] of [
    ['a request of an adapter', { socket: { destroySoon: assert.fail, end: assert.fail } }],
    ['a request without a connection', { complete: false, pause: assert.fail, socket: null }],
    ['a request of HTTP/2 without a stream', { complete: false, httpVersionMajor: 2, socket: { pause: assert.fail } }],
    ['a request of HTTP/2 with a stand-in for a stream',
      { complete: false, httpVersionMajor: 2, pause () {}, socket: {}, stream: {} }]
  ]) {
    it(`leaves ${what} alone`, () => {
      const [before, socket] = [{ ...req }, { ...req.socket }]
      closeConnection({ req, res: { once: assert.fail } })
      assert.deepEqual([req, { ...req.socket }], [before, socket])
    })
  }

  it('closes when the response is sent, although its fields throw', () => {
    const fail = () => { throw new Error('of the response') }
    for (const descriptor of [{ get: fail, set: fail }, { value: false }]) {
      const socket = { readable: true, pause () {}, end: () => ended.push(socket), destroySoon () {}, destroy () {} }
      const ended = []
      const res = Object.defineProperty(new EventEmitter(), 'shouldKeepAlive', { __proto__: null, ...descriptor })
      closeConnection({ req: { complete: false, pause () {}, socket }, res })
      res.emit('finish')
      assert.deepEqual(ended, [socket])
      for (const res of [new Proxy({}, { get: fail }), undefined]) {
        closeConnection({ req: { complete: false, pause () {}, socket }, res })
        socket.destroySoon() // as the server does
      }
      assert.deepEqual(ended, [socket, socket, socket])
      Object.assign(socket, { readable: true, destroySoon: null }) // other code may change them again
    }
  })

  it('lets the client read the response for two seconds, then destroys the connection', () => {
    const clock = new Clock()
    const { closeConnection } = clock.load(() => require('../../../lib/core/request/drain'))
    const calls = []
    const socket = Object.assign(new EventEmitter(), {
      readable: true,
      pause () {},
      end: () => calls.push('end'),
      destroySoon () {},
      destroy: () => calls.push('destroy')
    })
    const res = Object.assign(new EventEmitter(), { writableFinished: true })
    closeConnection({ req: { complete: false, pause () {}, socket }, res })
    assert.deepEqual(calls, ['end']) // as the response is sent
    clock.pass(1999)
    assert.deepEqual(calls, ['end'])
    clock.pass(1)
    assert.deepEqual(calls, ['end', 'destroy'])
  })
})
