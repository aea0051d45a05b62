'use strict'

const assert = require('node:assert/strict')
const { subscribe, unsubscribe } = require('node:diagnostics_channel')
const { Readable } = require('node:stream')
const zlib = require('node:zlib')
const useSteadyClock = require('../support/steady-clock')
const { createParser } = require('../../lib/core/middleware')
const read = require('../../lib/read')

const FILE = require.resolve('../../lib/read')
const TYPES = ['json', 'raw', 'text', 'urlencoded', 'custom']

function parserOf (descriptor, settings) {
  return createParser({
    name: 'text',
    charsets: { allows: () => true, fallback: 'utf-8' },
    parse: (text) => text,
    describe: () => null,
    ...descriptor
  }, { buffered: false, codingLists: false, drainLimit: Infinity, inflate: true, limit: 100, observe: null, rawBody: false, type: 'a/b', verify: undefined, ...settings })
}

function requestOf (chunks, headers) {
  return Object.assign(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), {
    headers: { 'content-type': 'a/b', 'content-length': String(Buffer.concat(chunks.map((chunk) => Buffer.from(chunk))).length), ...headers }
  })
}

function send (parser, text, headers) {
  const req = requestOf([text], headers)
  return new Promise((resolve) => read(req, 'res', function (...args) { resolve({ req, args, receiver: this }) }, parser))
}

describe('read', () => {
  useSteadyClock()

  it('is called for each request through the export of its file, as tools that instrument body-parser expect', () => {
    const calls = []
    const loaded = Object.entries(require.cache).filter(([file]) => TYPES.some((name) => file === require.resolve(`../../lib/types/${name}`)))
    const { exports } = require.cache[FILE]
    for (const [file] of loaded) delete require.cache[file]
    require.cache[FILE].exports = (req, res, next, ...more) => {
      calls.push([req, res, next, more.length])
      exports(req, res, next, ...more)
    }
    try {
      for (const name of TYPES) {
        const parser = require(`../../lib/types/${name}`)({ type: 'a/b', parse: (text) => text })
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

  it('calls next with no receiver', async () => {
    const failing = parserOf({ parse () { throw new Error('no') } })
    const cases = [[parserOf(), {}], [failing, {}], [parserOf({}, { limit: 1 }), {}], [parserOf(), { 'content-type': 'c/d' }], [parserOf(), { 'content-encoding': 'x' }]]
    for (const [parser, headers] of cases) assert.equal((await send(parser, 'text', headers)).receiver, undefined)
  })

  it('reports a content coding that is not a string, as some wrappers of Lambda have it', async () => {
    for (const coding of [['gzip'], 5, {}]) {
      for (const settings of [{}, { inflate: false }]) {
        const { args: [error], req } = await send(parserOf({}, settings), 'text', { 'content-encoding': coding })
        assert.ok(error instanceof TypeError)
        assert.ok('body' in req)
      }
    }
  })

  it('ignores a declared length that is null or not a number', async () => {
    for (const length of [null, 'x', undefined]) {
      const { args, req } = await send(parserOf(), 'text', { 'content-length': length, 'transfer-encoding': 'chunked' })
      assert.deepEqual([...args, req.body], ['text'])
    }
  })

  it('does not trust a length beside a transfer coding to decode in one call', async () => {
    const parser = parserOf()
    const coded = zlib.gzipSync('text')
    const lanes = []
    const listen = ({ lane }) => lanes.push(lane)
    subscribe('tracing:fast-body-parser:asyncEnd', listen)
    try {
      for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
        const { req } = await send(parser, coded, { 'content-encoding': 'gzip', ...headers })
        assert.equal(req.body, 'text')
      }
    } finally {
      unsubscribe('tracing:fast-body-parser:asyncEnd', listen)
    }
    assert.deepEqual(lanes, ['one-shot', 'stream'])
  })

  for (const [keeper, settings, descriptor] of [['verify', {}], ['req.rawBody', { rawBody: true }], ['req.body', {}, { input: 'bytes', charsets: null, parse: (bytes) => bytes }]]) {
    it(`gives ${keeper} bytes that the next request does not overwrite`, async () => {
      const kept = []
      const verify = keeper === 'verify' ? (req, res, bytes) => { kept.push(bytes) } : undefined
      const parser = parserOf(descriptor, { ...settings, verify })
      for (const chunks of [['fi', 'rst'], ['ot', 'her']]) {
        const req = requestOf(chunks)
        await new Promise((resolve) => read(req, 'res', resolve, parser))
        if (keeper !== 'verify') kept.push(settings.rawBody ? req.rawBody : req.body)
      }
      assert.deepEqual(kept.map(String), ['first', 'other'])
    })
  }
})
