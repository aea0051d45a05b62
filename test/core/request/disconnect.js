'use strict'

const assert = require('node:assert/strict')
const { EventEmitter } = require('node:events')
const { setImmediate: turn } = require('node:timers/promises')
const onDisconnect = require('../../../lib/core/request/disconnect')
const countAlive = require('../../support/count-alive')
const { noteUncaught } = require('../../support/uncaught')

const createConnection = () => Object.assign(new EventEmitter(), { closed: false })

/** Requests of a connection, or of a stream of HTTP/2, whose socket stands for the whole session. */
const kinds = {
  'the connection': (connection) => ({ aborted: false, httpVersionMajor: 1, socket: connection }),
  'the stream of HTTP/2': (stream) => ({ httpVersionMajor: 2, stream, socket: createConnection() })
}

describe('onDisconnect', () => {
  for (const [what, createRequest] of Object.entries(kinds)) {
    it(`calls back when ${what} closes, and not before`, () => {
      const connection = createConnection()
      const calls = []
      for (const name of ['a', 'b']) onDisconnect(createRequest(connection), () => calls.push(name))
      assert.deepEqual(calls, [])
      connection.emit('close')
      assert.deepEqual(calls, ['a', 'b'])
    })

    it(`calls back on the next tick if ${what} is closed already`, async () => {
      const calls = []
      const connection = Object.assign(createConnection(), { closed: true })
      onDisconnect(createRequest(connection), () => calls.push('left'))
      assert.deepEqual([calls, connection.listenerCount('close')], [[], 0])
      await turn()
      assert.deepEqual(calls, ['left'])
    })
  }

  it('does not call back when a stream of HTTP/2 closes that both sides have ended, but for its connection', () => {
    for (const [fields, expected] of [[{}, 0], [{ aborted: true }, 1], [{ readableEnded: false }, 1]]) {
      const connection = createConnection()
      const stream = Object.assign(createConnection(), {
        rstCode: 0,
        session: { destroyed: false, socket: connection }
      })
      const req = { httpVersionMajor: 2, stream, aborted: false, readableEnded: true, ...fields }
      let calls = 0
      const forget = onDisconnect(req, () => calls++)
      stream.emit('close')
      assert.equal(calls, expected)
      connection.emit('close')
      assert.equal(calls, expected + 1)
      forget()
    }
  })

  it('calls back when a stream of HTTP/2 is reset, and not for a session that is destroyed', () => {
    const stream = Object.assign(createConnection(), {
      rstCode: 8,
      session: { destroyed: true, get socket () { throw new Error('no socket') } }
    })
    let calls = 0
    onDisconnect({ httpVersionMajor: 2, stream, readableEnded: true }, () => calls++)
    stream.emit('close')
    assert.equal(calls, 1)
  })

  it('calls back for each request, also when that of another throws, which is uncaught', async () => {
    const connection = createConnection()
    const calls = []
    for (const name of ['a', 'b', 'c']) {
      onDisconnect({ socket: connection }, () => {
        calls.push(name)
        if (name !== 'c') throw new Error(name)
      })
    }
    await noteUncaught(({ message }) => calls.push(`uncaught ${message}`), async () => {
      connection.emit('close')
      await turn()
    })
    assert.deepEqual(calls, ['a', 'b', 'c', 'uncaught a', 'uncaught b'])
  })

  it('returns a function that forgets the callback', async () => {
    for (const closed of [false, true]) {
      const connection = Object.assign(createConnection(), { closed })
      onDisconnect({ socket: connection }, assert.fail)()
      connection.emit('close')
      await turn()
    }
    const connection = createConnection()
    const stream = Object.assign(createConnection(), { rstCode: 8, session: { destroyed: false, socket: connection } })
    onDisconnect({ httpVersionMajor: 2, stream }, assert.fail)()
    for (const emitter of [stream, connection]) emitter.emit('close')
  })

  it('adds one listener to a connection, however many requests it carries', () => {
    const connection = createConnection()
    for (let i = 0; i < 100; i++) onDisconnect({ socket: connection }, () => {})
    assert.equal(connection.listenerCount('close'), 1)
  })

  it('keeps no request alive that is over, although its connection stays open', async () => {
    const serve = (req) => {
      onDisconnect(req, () => req.body)()
      return new WeakRef(req)
    }
    const connection = createConnection()
    const request = serve({ socket: connection, body: {} })
    assert.equal(await countAlive([request]), 0)
    assert.equal(connection.listenerCount('close'), 1)
  })

  it('never calls back for what is not a request of a server', () => {
    for (const req of [{}, { socket: null }, { socket: {} }, { httpVersionMajor: 2, socket: createConnection() }]) {
      const forget = onDisconnect(req, assert.fail)
      req.socket?.emit?.('close')
      forget()
    }
  })
})
