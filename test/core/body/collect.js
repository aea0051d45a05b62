'use strict'

const assert = require('node:assert/strict')
const { EventEmitter } = require('node:events')
const { setImmediate: turn } = require('node:timers/promises')
const { collect, collectChunks } = require('../../../lib/core/body/collect')
const { createExchange, createRequest, endRequest } = require('../../support/create-exchange')

const TRANSIENT = { collect } // for a parser that reads the bytes at once
const CHUNKS = { collect: collectChunks }

/** Collects from `req`; gives the exchange, with everything that it delivers and all errors. */
function start (req, { limit = 100, length = null, ...settings } = {}) {
  const seen = { contents: [], errors: [] }
  const exchange = createExchange(req, { ...settings, next: assert.fail })
  Object.assign(exchange, { length, limit })
  exchange.parser.collect(exchange, (_, error, content) => {
    if (error) seen.errors.push(error)
    else seen.contents.push(content)
  })
  return Object.assign(seen, { exchange })
}

/** A body that is sent piece by piece; `end` gives what was collected. */
function open (settings) {
  const req = new EventEmitter()
  const seen = start(req, settings)
  const end = () => {
    req.emit('end')
    return seen.contents[0]
  }
  return { end, send: (piece) => req.emit('data', piece) }
}

describe('collect', () => {
  /** What the request emits: bytes of text, or [event, its argument]. */
  const END = ['end']
  const ABORTED = ['aborted']
  const CLOSE = ['close']
  const BROKEN = ['error', new Error('broken')]
  const REFUSED = ['error', Object.assign(new Error('refused'), { status: 418 })]

  /** [title, settings, what is emitted, the content, or fields of the error] */
  const rows = [
    ['joins chunks', {}, ['a', 'bc', 'd', END], 'abcd'],
    ['ends with the first byte over the limit', { limit: 3 }, ['ab', 'cd', 'ef', END],
      { type: 'entity.too.large', limit: 3, received: 4 }],
    ['takes as many bytes as the limit', { limit: 3 }, ['ab', 'c', END], 'abc'],
    ['reports a body that is shorter than declared', { length: 4 }, ['bod', END],
      { type: 'request.size.invalid', length: 4, received: 3 }],
    ['reports a body that is longer than declared', { length: 4 }, ['bodys', END],
      { type: 'request.size.invalid', length: 4, received: 5 }],
    ['is ended by `aborted`, before `error` and `close`', { length: 9 }, ['body', ABORTED, BROKEN, CLOSE],
      { type: 'request.aborted', length: 9, received: 4 }],
    ['takes a stream that closes before its end for an aborted request', {}, ['body', CLOSE, BROKEN],
      { type: 'request.aborted', length: null, received: 4 }],
    ['reports an aborted HTTP/2 request without a length, whose stream ends all the same',
      { fields: { aborted: true } }, ['body', END], { type: 'request.aborted', length: null, received: 4 }],
    ['passes on an error of the stream with status 400', {}, [BROKEN], { message: 'broken', status: 400 }],
    ['passes on an error of the stream with a status of its own', {}, [REFUSED], { message: 'refused', status: 418 }],
    ['takes an `error` event without an error for the end, as body-parser does', {}, ['body', ['error']], 'body'],
    ['ignores events that are emitted within others to the listeners of the time before',
      { within: { end: 'aborted' } }, ['body', END], { type: 'request.aborted', received: 4 }],
    ['holds no chunk that ends the request before it gets it', { within: { data: 'aborted' } }, ['body'],
      { type: 'request.aborted', received: 0 }]
  ]
  for (const [title, { fields, within = {}, ...settings }, emitted, expected] of rows) {
    it(title, () => {
      const req = Object.assign(new EventEmitter(), fields)
      for (const [event, other] of Object.entries(within)) req.on(event, () => req.emit(other))
      const seen = [start(req, settings), start(req, settings)]
      req.on('error', () => {}) // as Node throws it otherwise, once nobody listens
      for (const event of emitted) {
        if (typeof event === 'string') req.emit('data', Buffer.from(event))
        else req.emit(...event)
      }
      for (const { contents, errors, exchange } of seen) {
        if (typeof expected === 'string') assert.deepEqual([contents.map(String), errors], [[expected], []])
        else {
          assert.deepEqual([contents.length, errors.length], [0, 1])
          for (const [name, value] of Object.entries(expected)) assert.equal(errors[0][name], value, name)
          assert.equal(exchange.received, expected.received ?? 0)
        }
      }
    })
  }

  it('takes the text of a request whose encoding was set while it was read', async () => {
    const req = createRequest()
    const seen = start(req)
    req.setEncoding('utf8')
    req.push(Buffer.from('body'))
    await turn()
    endRequest(req)
    await turn()
    assert.deepEqual([seen.contents.map(String), seen.errors], [['body'], []])
  })

  it('cannot be ended by a guard once it has ended', async () => {
    const req = createRequest()
    const { contents, exchange } = start(req, { createGuards: () => ({ deadline: null, reservation: null }) })
    endRequest(req)
    await turn()
    assert.deepEqual([contents.length, exchange.failStep(new Error('too late'), false)], [1, false])
  })
})

describe('what collect gives', () => {
  it('takes the bytes of any view', () => {
    const { end, send } = open()
    for (const bytes of [new Uint16Array([0x6261]), new DataView(Uint8Array.of(0x63, 0x64, 0x65).buffer, 1, 1)]) {
      send(bytes)
    }
    assert.equal(String(end()), 'abd')
  })

  it('copies small chunks together, and leaves larger ones alone', () => {
    for (const [size, count] of [[0, 1], [1, 2], [500, 40], [2047, 158], [2048, 5000]]) {
      const sent = Buffer.alloc(5000 * size)
      const { end, send } = open({ limit: Infinity, ...CHUNKS })
      for (let i = 0; i < 5000; i++) send(sent.subarray(i * size, (i + 1) * size).fill(i))
      const pieces = end()
      assert.ok(pieces.length <= count + 1, `${pieces.length} chunks`)
      assert.ok(Buffer.concat(pieces).equals(sent))
    }
  })

  it('is a single chunk as it is', () => {
    const chunk = Buffer.allocUnsafeSlow(1).fill('a') // as of Node's HTTP/1 server
    for (const settings of [{}, TRANSIENT]) {
      const { end, send } = open(settings)
      send(chunk)
      assert.equal(end(), chunk)
    }
  })
})
