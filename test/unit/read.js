'use strict'

const assert = require('node:assert/strict')
const { subscribe, unsubscribe } = require('node:diagnostics_channel')
const { Readable } = require('node:stream')
const zlib = require('node:zlib')
const createReader = require('../../lib/read')

function reader (more, settings) {
  return createReader({
    name: 'text',
    settings: { buffered: false, codingLists: false, drainLimit: Infinity, inflate: true, limit: 100, rawBody: false, type: 'a/b', verify: undefined, ...settings },
    charsets: { allows: () => true, fallback: 'utf-8' },
    parse: (text) => text,
    label: () => null,
    ...more
  })
}

function send (read, text, headers) {
  const req = Object.assign(Readable.from([Buffer.from(text)]), { headers: { 'content-type': 'a/b', 'content-length': String(text.length), ...headers } })
  return new Promise((resolve) => read(req, 'res', function (...args) { resolve({ req, args, receiver: this }) }))
}

describe('read', () => {
  it('hands text and charset to parse, and its result to req.body', async () => {
    const seen = []
    const { req, args } = await send(reader({ parse: (...given) => { seen.push(given); return 'parsed' } }), 'text')
    assert.deepEqual(seen, [['text', 'utf-8', req]])
    assert.equal(req.body, 'parsed')
    assert.deepEqual(args, [])
  })

  it('hands out nothing of its own', async () => {
    const failing = reader({ parse () { throw new Error('no') } })
    for (const [read, headers] of [[reader(), {}], [failing, {}], [reader({}, { limit: 1 }), {}], [reader(), { 'content-type': 'c/d' }], [reader(), { 'content-encoding': 'x' }]]) {
      assert.equal((await send(read, 'text', headers)).receiver, undefined)
    }
  })

  it('reports what the decoder throws, as of a text longer than strings can be', async () => {
    const iconv = require('iconv-lite')
    const { decode } = iconv
    iconv.decode = () => { throw new RangeError('too long') }
    try {
      const { args: [error], req } = await send(reader(), 'text', { 'content-type': 'a/b; charset=koi8-r' })
      assert.deepEqual([error.message, error.status, error.type, req.body], ['too long', 400, 'entity.parse.failed', undefined])
    } finally {
      iconv.decode = decode
    }
  })

  it('reports a coding that is no string, as some wrappers may have it', async () => {
    for (const coding of [['gzip'], 5, {}]) {
      for (const settings of [{}, { inflate: false }]) {
        const { args: [error], req } = await send(reader({}, settings), 'text', { 'content-encoding': coding })
        assert.ok(error instanceof TypeError)
        assert.equal(error.message, 'the header content-encoding is not a string')
        assert.ok('body' in req)
      }
    }
  })

  it('takes a length that is null or no number for none', async () => {
    for (const length of [null, 'x', undefined]) {
      const { args, req } = await send(reader(), 'text', { 'content-length': length, 'transfer-encoding': 'chunked' })
      assert.deepEqual([...args, req.body], ['text'])
    }
  })

  it('does not believe a length beside a transfer coding, to decode in one call', async () => {
    const read = reader()
    const coded = zlib.gzipSync('text')
    const lanes = []
    const listen = ({ lane }) => lanes.push(lane)
    subscribe('tracing:fast-body-parser:asyncEnd', listen)
    try {
      for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
        const { req } = await send(read, coded, { 'content-encoding': 'gzip', ...headers })
        assert.equal(req.body, 'text')
      }
    } finally {
      unsubscribe('tracing:fast-body-parser:asyncEnd', listen)
    }
    assert.deepEqual(lanes, ['one-shot', 'stream'])
  })

  it('goes on in the same tick after a verify that returns no promise', async () => {
    for (const verdict of [undefined, null, 5, { then: 'soon' }]) {
      const seen = []
      const read = reader({ parse () { seen.push('parse') } }, { verify () { process.nextTick(() => seen.push('tick')); return verdict } })
      await send(read, 'text')
      await new Promise(setImmediate)
      assert.deepEqual(seen, ['parse', 'tick'])
    }
  })

  it("goes on in the same tick after a parse of the app's own that returns no promise", async () => {
    for (const value of [undefined, null, 5, { then: 'soon' }]) {
      const seen = []
      const read = reader({ mayWait: true, parse () { process.nextTick(() => seen.push('tick')); return value } })
      const { req } = await new Promise((resolve) => {
        const req = Object.assign(Readable.from([Buffer.from('text')]), { headers: { 'content-type': 'a/b', 'content-length': '4' } })
        read(req, 'res', () => { seen.push('next'); resolve({ req }) })
      })
      await new Promise(setImmediate)
      assert.equal(req.body, value)
      assert.deepEqual(seen, ['next', 'tick'])
    }
  })

  it('takes what parse returns as it is, a promise too, where parse is not said to return one', async () => {
    const promise = Promise.resolve('later')
    const { req, args } = await send(reader({ parse: () => promise }), 'text')
    assert.equal(req.body, promise)
    assert.deepEqual(args, [])
  })

  for (const [who, settings, more] of [['verify', {}], ['req.rawBody', { rawBody: true }], ['req.body', {}, { charsets: null, parse: (bytes) => bytes }]]) {
    it(`leaves to ${who} the bytes of several chunks, whatever is read later`, async () => {
      const kept = []
      const verify = who === 'verify' ? (req, res, bytes) => { kept.push(bytes) } : undefined
      const read = reader(more, { ...settings, verify })
      for (const text of ['first', 'other']) {
        const req = Object.assign(Readable.from([text.slice(0, 2), text.slice(2)].map((chunk) => Buffer.from(chunk))), { headers: { 'content-type': 'a/b', 'content-length': '5' } })
        await new Promise((resolve) => read(req, 'res', resolve))
        if (who !== 'verify') kept.push(settings.rawBody ? req.rawBody : req.body)
      }
      assert.deepEqual(kept.map(String), ['first', 'other'])
    })
  }

  it('calls verify with no receiver and four arguments', async () => {
    let seen
    const read = reader({}, { verify (...args) { seen = [this, ...args] } })
    const { req } = await send(read, 'text')
    assert.deepEqual(seen, [undefined, req, 'res', Buffer.from('text'), 'utf-8'])
  })
})
