'use strict'

const assert = require('node:assert/strict')
const { EventEmitter } = require('node:events')
const { Readable } = require('node:stream')
const { createStorage } = require('./support/async-storage')
const createParser = require('../lib/compose')
const read = require('../lib/read')

const FILE = require.resolve('../lib/read')
const TYPES = ['json', 'raw', 'text', 'urlencoded', 'custom']

/** A parser of text, but for these fields, with these options. */
function parserOf (fields, options) {
  const text = { charsets: { allows: () => true, fallback: 'utf-8' }, parse: (text) => text }
  return createParser('text', { type: 'a/b', limit: 100, ...options }, () => ({ ...text, ...fields }))
}

function requestOf (chunks, headers) {
  return Object.assign(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), {
    headers: {
      'content-type': 'a/b',
      'content-length': String(Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))).length),
      ...headers
    }
  })
}

function send (parser, text, headers) {
  const req = requestOf([text], headers)
  return new Promise((resolve) =>
    read(req, 'res', function (...args) { resolve({ req, args, receiver: this }) }, parser))
}

describe('read', () => {
  it('is called for each request through the export of its file, as tools that instrument body-parser expect', () => {
    const calls = []
    const loaded = Object.entries(require.cache).filter(([file]) =>
      TYPES.some((name) => file === require.resolve(`../lib/types/${name}`)))
    const { exports } = require.cache[FILE]
    for (const [file] of loaded) delete require.cache[file]
    require.cache[FILE].exports = (req, res, next, ...more) => {
      calls.push([req, res, next, more.length])
      exports(req, res, next, ...more)
    }
    try {
      for (const name of TYPES) {
        const parser = require(`../lib/types/${name}`)({ type: 'a/b', parse: (text) => text })
        for (let i = 0; i < 2; i++) {
          const [req, res, next] = [{ headers: {}, complete: false, socket: { readable: true } }, {}, () => {}]
          parser(req, res, next)
          assert.deepEqual(calls.splice(0), [[req, res, next, 1]], name)
        }
      }
    } finally {
      require.cache[FILE].exports = exports
      for (const [file, module] of loaded) require.cache[file] = module
    }
  })

  for (const name of [...TYPES, 'multipart', 'ndjson']) {
    it(`of ${name} says what to call without a next, before it reads anything`, () => {
      const req = { headers: {}, on: assert.fail }
      const parser = require(`../lib/types/${name}`)(name === 'custom' ? { type: 'a/b', parse: String } : {})
      assert.throws(() => parser(req, {}),
        { name: 'TypeError', message: 'next is not a function: without one, call `await parser.read(req, res)`' })
      assert.deepEqual(Object.keys(req), ['headers', 'on'])
    })
  }

  it('of json says so with the option cooperative, too', () => {
    const parser = require('../lib/types/json')({ cooperative: { threshold: 1 } })
    const headers = { 'content-type': 'application/json', 'content-length': '300000' }
    assert.throws(() => parser({ headers, on: assert.fail }, {}),
      { name: 'TypeError', message: /await `?parser\.read/ })
  })

  it('calls next with no receiver', async () => {
    for (const [parser, headers] of [[parserOf(), {}], [parserOf(), { 'content-encoding': 'x' }]]) {
      assert.equal((await send(parser, 'text', headers)).receiver, undefined)
    }
  })

  it('reports a content coding that is not a string, as some wrappers of Lambda have it', async () => {
    for (const options of [{}, { inflate: false }]) {
      const { args: [error], req } = await send(parserOf({}, options), 'text', { 'content-encoding': ['gzip'] })
      assert.deepEqual([error.name, 'body' in req], ['TypeError', true])
    }
  })

  it('runs what follows a reader in the async context of its call, whatever that of the reader is', async () => {
    const storage = createStorage()
    const fault = new Error('the fault')
    for (const result of [[null, Buffer.from('text'), 4], [fault]]) {
      const reader = (exchange, done) => setImmediate(() => storage.run('socket', () => done(exchange, ...result)))
      const parser = { ...parserOf({ parse: () => storage.getStore() }), reader }
      const req = Object.assign(new EventEmitter(), { headers: { 'content-type': 'a/b', 'content-length': '4' } })
      const [error, store] = await new Promise((resolve) => {
        storage.run('request', () => read(req, 'res', (error) => resolve([error, storage.getStore()]), parser))
      })
      assert.deepEqual([error, store, req.body],
        result[0] === fault ? [fault, 'request', undefined] : [undefined, 'request', 'request'])
    }
  })

  it('reports what chooses the limit and throws, without a reader', async () => {
    for (const [thrown, status] of [[new Error('no'), undefined], [undefined, 500], ['route', 500]]) {
      const { args: [error], req } = await send(
        parserOf({ createStreamReader: () => assert.fail, streamStage: (proceed) => proceed },
          { limit () { throw thrown } }),
        'text'
      )
      assert.deepEqual([error instanceof Error, error.status, 'body' in req], [true, status, true])
    }
  })

  it('runs the stages of a skipped request, or calls next within the call', async () => {
    const seen = []
    const skip = [(proceed) => (exchange, content) => { seen.push('stage', content); proceed(exchange) }]
    for (const [fields, expected] of [
      [{ skip }, ['stage', undefined, 'next', 'returned']],
      [{}, ['next', 'returned']]
    ]) {
      read(requestOf(['text'], { 'content-type': 'c/d' }), 'res', () => seen.push('next'), parserOf(fields))
      seen.push('returned')
      assert.deepEqual(seen.splice(0), expected)
    }
  })

  for (const options of [{}, { timeout: 60_000 }]) {
    it(`throws what a stand-in for a stream throws, and leaves no timer, with ${JSON.stringify(options)}`, () => {
      const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
      const before = timers()
      const parser = require('../lib/types/json')(options)
      const req = { headers: { 'content-type': 'application/json', 'content-length': '2' } }
      assert.throws(() => parser(req, {}, assert.fail), { name: 'TypeError', message: 'req.on is not a function' })
      assert.equal(timers(), before)
    })
  }
})
