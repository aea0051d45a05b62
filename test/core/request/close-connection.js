'use strict'

const assert = require('node:assert/strict')
const { EventEmitter, once } = require('node:events')
const { closeConnection } = require('../../../lib/core/request/drain')

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
      closeConnection({
        req: { complete: false, pause () {}, socket },
        res: new Proxy({}, { get: fail })
      })
      socket.destroySoon() // as the server does
      assert.deepEqual(ended, [socket, socket])
    }
  })

  it('lets the client read the response for two seconds, then destroys the connection', async function () {
    this.timeout(30_000)
    const socket = Object.assign(new EventEmitter(), {
      readable: true,
      pause () {},
      end () { this.endedAt = performance.now() },
      destroySoon () {},
      destroy () { this.emit('destroyed') }
    })
    const res = Object.assign(new EventEmitter(), { writableFinished: true })
    const keepsProcess = setTimeout(() => {}, 30_000) // the wait does not keep it alive
    closeConnection({ req: { complete: false, pause () {}, socket }, res })
    assert.equal(typeof socket.endedAt, 'number', 'ended once the response is sent')
    await once(socket, 'destroyed')
    clearTimeout(keepsProcess)
    const waited = performance.now() - socket.endedAt
    assert.ok(waited > 1990 && waited < 20_000, `${waited} ms`)
  })
})
