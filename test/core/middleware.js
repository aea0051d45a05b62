'use strict'

const assert = require('node:assert/strict')
const createError = require('http-errors')
const getRawBody = require('raw-body')
const Exchange = require('../../lib/core/exchange')
const lazy = require('../../lib/core/lazy')
const { Match } = require('../../lib/core/match')
const { createParser, wrap } = require('../../lib/core/middleware')
const closeConnection = require('../../lib/extras/close-connection')
const loadAgain = require('../support/load-again')

const SETTINGS = { buffered: false, codingLists: false, drainLimit: Infinity, inflate: true, limit: 100, observe: null, rawBody: false, type: 'a/b', verify: undefined }
const DESCRIPTOR = { name: 'text', charsets: { allows: () => true, fallback: 'utf-8' }, parse: (text) => text }

const create = (descriptor, settings) => createParser({ ...DESCRIPTOR, ...descriptor }, { ...SETTINGS, ...settings })

/** Runs the stages of a parser over the content `text`; gives the request and the arguments of `next`. */
function run (parser, { req = {}, content = Buffer.from('text') } = {}) {
  return new Promise((resolve) => {
    const match = new Match({ charset: 'utf-8', decode: String })
    const exchange = new Exchange({ req, res: 'res', next: (...args) => resolve({ req, args }), match, parser })
    parser.run(exchange, content)
  })
}

describe('middleware', () => {
  describe('stages', () => {
    it('give parse the text, the charset, the request and the exchange, and req.body its result', async () => {
      const seen = []
      const { req, args } = await run(create({ parse: (...given) => { seen.push(given); return 'parsed' } }))
      assert.deepEqual(seen, [['text', 'utf-8', req]])
      assert.deepEqual([req.body, args], ['parsed', []])
    })

    it('give an asynchronous parser its exchange as well', async () => {
      const seen = []
      const { req } = await run(create({ isAsync: true, parse: (...given) => { seen.push(given) } }))
      const [text, charset, request, exchange] = seen[0]
      assert.deepEqual([text, charset, request], ['text', 'utf-8', req])
      assert.equal(exchange.req, req)
    })

    it('give a parser of chunks the chunks, or the bytes that an earlier stage had as one chunk', async () => {
      for (const content of [[Buffer.from('te'), Buffer.from('xt')], Buffer.from('text')]) {
        const { req } = await run(create({ input: 'chunks', isAsync: true, parse: (chunks) => chunks }), { content })
        assert.deepEqual(req.body, Array.isArray(content) ? content : [content])
      }
    })

    it('keep the bytes, then verify, then parse', async () => {
      const order = []
      const req = Object.defineProperty({}, 'rawBody', { get () {}, set (bytes) { order.push(`keep ${bytes}`) } })
      const parser = create({ parse: (text) => order.push(`parse ${text}`) }, { rawBody: true, verify: (req, res, bytes) => { order.push(`verify ${bytes}`) } })
      await run(parser, { req })
      assert.deepEqual(order, ['keep text', 'verify text', 'parse text'])
    })

    it('call verify with no receiver and four arguments', async () => {
      let seen
      const { req } = await run(create({}, { verify (...args) { seen = [this, ...args] } }))
      assert.deepEqual(seen, [undefined, req, 'res', Buffer.from('text'), 'utf-8'])
    })

    it('stop at a verify that throws', async () => {
      const { req, args: [error] } = await run(create({ parse: assert.fail }, { verify () { throw new Error('no') } }))
      assert.deepEqual([error.message, error.status, error.type, String(error.body)], ['no', 403, 'entity.verify.failed', 'text'])
      assert.equal('body' in req, false)
    })

    it('run in the same tick after a verify that returns no promise', async () => {
      for (const verdict of [undefined, null, 5, { then: 'soon' }]) {
        const seen = []
        await run(create({ parse () { seen.push('parse') } }, { verify () { process.nextTick(() => seen.push('tick')); return verdict } }))
        await new Promise(setImmediate)
        assert.deepEqual(seen, ['parse', 'tick'])
      }
    })

    it('end in the same tick if an asynchronous parser returns no promise', async () => {
      for (const value of [undefined, null, 5, { then: 'soon' }]) {
        const seen = []
        const parser = create({ isAsync: true, parse () { process.nextTick(() => seen.push('tick')); return value } })
        const match = new Match({ charset: 'utf-8', decode: String })
        const req = {}
        parser.run(new Exchange({ req, res: {}, next: () => seen.push('next'), match, parser }), Buffer.from('text'))
        await new Promise(setImmediate)
        assert.equal(req.body, value)
        assert.deepEqual(seen, ['next', 'tick'])
      }
    })

    it('put even a promise into req.body for a parser that is not asynchronous', async () => {
      const promise = Promise.resolve('later')
      const { req, args } = await run(create({ parse: () => promise }))
      assert.equal(req.body, promise)
      assert.deepEqual(args, [])
    })

    // A getter without a setter, as an app or a framework may define it.
    for (const [property, what, descriptor, settings, content] of [
      ['body', 'a parser', {}, {}, 'text'],
      ['body', 'an asynchronous parser', { isAsync: true }, {}, 'text'],
      ['body', 'a parser that returns a promise', { isAsync: true, parse: async () => 1 }, {}, 'text'],
      ['rawBody', 'the option rawBody', {}, { rawBody: true }, Buffer.from('text')]
    ]) {
      it(`report for ${what} that req.${property} cannot be set`, async () => {
        const req = Object.defineProperty({}, property, { get () {} })
        const { args: [error, ...more] } = await run(create(descriptor, settings), { req })
        assert.ok(error instanceof TypeError)
        assert.deepEqual([error.status, error.type, error.body, more], [400, 'entity.parse.failed', content, []])
      })
    }

    it('report what the decoder throws for a text longer than a string can be', async () => {
      const parser = create()
      const match = new Match({ charset: 'utf-8', decode () { throw new RangeError('too long') } })
      for (const isAsync of [false, true]) {
        const { run } = create({ isAsync })
        const [error] = await new Promise((resolve) => run(new Exchange({ req: {}, res: {}, next: (...args) => resolve(args), match, parser }), Buffer.from('text')))
        assert.deepEqual([error.message, error.status, error.type, error.body], ['too long', 400, 'entity.parse.failed', undefined])
      }
    })
  })

  describe('what read needs to know', () => {
    it('is whether the first stage takes chunks: not if a stage shows the bytes', () => {
      const takesChunks = (descriptor, settings) => create(descriptor, settings).takesChunks
      assert.equal(takesChunks(), false)
      assert.equal(takesChunks({ input: 'chunks', isAsync: true }), true)
      assert.equal(takesChunks({ input: 'chunks', isAsync: true }, { rawBody: true }), false)
      assert.equal(takesChunks({ input: 'chunks', isAsync: true }, { verify () {} }), false)
    })

    it('is whether a stage may keep the bytes', () => {
      const keepsBytes = (descriptor, settings) => create(descriptor, settings).keepsBytes
      assert.equal(keepsBytes(), false)
      assert.equal(keepsBytes({}, { rawBody: true }), true)
      assert.equal(keepsBytes({}, { verify () {} }), true)
      assert.equal(keepsBytes({ charsets: null, input: 'bytes' }), true)
    })

    it('is how content codings are undone, if they are', () => {
      assert.equal(create({}, { inflate: false }).inflate, null)
      assert.equal(typeof create().inflate().findCoding, 'function')
      assert.equal(create().findCoding, null)
      assert.equal(typeof create({}, { codingLists: true }).findCoding, 'function')
    })
  })

  describe('what is loaded when the start is over', () => {
    const everything = [createError, closeConnection, getRawBody, true]
    for (const [what, descriptor, settings, expected] of [
      ['all that a request may need', {}, {}, everything],
      ['nothing that undoes codings with inflate: false', {}, { inflate: false }, everything.filter((module) => module !== getRawBody)],
      ['no charsets for bytes', { charsets: null, input: 'bytes' }, {}, everything.slice(0, -1)],
      ['no charsets for UTF-8 alone', { charsets: { allows: (charset) => charset === 'utf-8', fallback: 'utf-8' } }, {}, everything.slice(0, -1)]
    ]) {
      it(`is ${what}`, () => {
        const { preload } = lazy
        const loads = []
        lazy.preload = (load) => loads.push(load)
        try {
          const { createParser } = loadAgain(require.resolve('../../lib/core/middleware'))
          createParser({ ...DESCRIPTOR, ...descriptor }, { ...SETTINGS, ...settings })
        } finally {
          lazy.preload = preload
        }
        assert.deepEqual(loads.map((load) => load()), expected)
      })
    }
  })

  describe('wrap', () => {
    const middleware = function textParser (req, res, next) {}

    it('returns the middleware itself, unless an option asks for a wrapper', () => {
      assert.equal(wrap(middleware, create(), SETTINGS), middleware)
      const wrapped = wrap(middleware, create({}, { buffered: true }), { ...SETTINGS, buffered: true })
      assert.notEqual(wrapped, middleware)
      assert.deepEqual([wrapped.name, wrapped.length], ['textParser', 3])
    })

    it('adds `read` and what console.log calls, which an app may replace and no loop shows', () => {
      const wrapped = wrap((req, res, next) => {}, create(), SETTINGS)
      for (const key of ['read', Symbol.for('nodejs.util.inspect.custom')]) {
        const { value, ...flags } = Object.getOwnPropertyDescriptor(wrapped, key)
        assert.deepEqual([typeof value, flags], ['function', { configurable: true, enumerable: false, writable: true }])
      }
    })
  })
})
