'use strict'

// What other code of the process may have done: getters that throw, a polluted
// Object.prototype, chunks without memory, values of another realm.

const assert = require('node:assert/strict')
const { PassThrough, Readable } = require('node:stream')
const { setTimeout: delay } = require('node:timers/promises')
const vm = require('node:vm')
const zlib = require('node:zlib')
const theirs = require('body-parser')
const subject = require('fast-body-parser')
const web = require('fast-body-parser/web')
const HANG_TIME = require('../support/hang-time')
const { noteUncaught } = require('../support/uncaught')

const JSON_TYPE = { 'content-type': 'application/json' }
const CHUNKED = { ...JSON_TYPE, 'transfer-encoding': 'chunked' }
const FORM_DATA = { 'content-type': 'multipart/form-data; boundary=b', 'transfer-encoding': 'chunked' }

/** @returns {Promise<unknown>} what `next` gets; fails for what nothing catches */
const call = async (parser, req, body) => (await outcomeOf(parser, req, body)).error

/** In an object without a prototype: a promise with another one never settles once `Object.prototype.then` is set. */
async function outcomeOf (parser, req, body) {
  const outcome = { __proto__: null, error: 'hangs' }
  const uncaught = []
  await noteUncaught((error) => uncaught.push(error), () => Promise.race([
    new Promise((resolve) => {
      parser(req, {}, (error) => {
        outcome.error = error
        resolve()
      })
      if (body !== undefined) req.end(body)
    }),
    delay(HANG_TIME, undefined, { ref: false })
  ]))
  assert.deepEqual(uncaught, [])
  return outcome
}

const createRequest = (headers, fields) => Object.assign(new PassThrough(), { headers: { ...headers }, ...fields })

describe('foreign code', () => {
  describe('that has read a body before', () => {
    const createRead = (fields) => Object.defineProperties({ headers: { ...JSON_TYPE, 'content-length': '2' } }, fields)
    const getter = (get) => ({ __proto__: null, configurable: true, get })

    it('may leave a getter that throws: the error goes to next', async () => {
      const thrown = Object.assign(new Error('Invalid JSON'), { statusCode: 400 })
      for (const parser of [subject.json({ buffered: true }), subject.multipart({ buffered: true })]) {
        for (const name of ['body', 'rawBody']) {
          const req = createRead({ [name]: getter(() => { throw thrown }) })
          assert.equal(await call(parser, req), thrown)
        }
        // eslint-disable-next-line no-throw-literal
        const error = await call(parser, createRead({ body: getter(() => { throw undefined }) }))
        assert.equal(error.status, 500)
      }
    })

    it('is not asked for a body beside the bytes, and is asked once', async () => {
      let asked = 0
      const req = createRead({
        rawBody: { __proto__: null, value: Buffer.from('{}') },
        body: {
          __proto__: null,
          configurable: true,
          get: assert.fail,
          set (value) { Object.defineProperty(req, 'body', { __proto__: null, value }) }
        }
      })
      assert.equal(await call(subject.json({ buffered: true }), req), undefined)
      assert.deepEqual(req.body, {})
      const other = createRead({ rawBody: getter(() => { asked++; return '{}' }) })
      assert.equal(await call(subject.json({ buffered: true }), other), undefined)
      assert.deepEqual([other.body, asked], [{}, 1])
    })

    it('may leave an array of bytes of another realm', async () => {
      const rawBody = vm.runInNewContext('new Uint8Array([0x5B, 0x31, 0x5D])')
      assert.equal(rawBody instanceof Uint8Array, false)
      const req = { headers: { ...JSON_TYPE, 'content-length': '3' }, rawBody }
      assert.equal(await call(subject.json({ buffered: true }), req), undefined)
      assert.deepEqual(req.body, [1])
    })
  })

  describe('that has taken the memory of a chunk', () => {
    function createDetached () {
      const chunk = new Uint8Array([0x7B, 0x7D])
      structuredClone(chunk.buffer, { transfer: [chunk.buffer] })
      return chunk
    }

    it('leaves an empty one, as for body-parser', async () => {
      for (const bodyParser of [subject, theirs]) {
        const req = Object.assign(Readable.from([createDetached()]), { headers: CHUNKED })
        assert.deepEqual([await call(bodyParser.json(), req), req.body], [undefined, {}])
      }
    })

    it('leaves an empty one of a coded body as well', async () => {
      for (const parser of [subject.json(), subject.multipart({ type: () => true })]) {
        const headers = { ...CHUNKED, 'content-type': 'application/json; boundary=b', 'content-encoding': 'gzip' }
        const req = Object.assign(Readable.from([createDetached()]), { headers })
        assert.equal((await call(parser, req)).code, 'Z_BUF_ERROR')
      }
    })

    it('leaves a Request that cannot be read', async () => {
      const body = new ReadableStream({
        start (controller) { controller.enqueue(createDetached()); controller.close() }
      })
      const request = { headers: new Headers(JSON_TYPE), body, bodyUsed: false }
      await assert.rejects(web.json()(request), { status: 500, type: 'stream.not.readable' })
    })
  })

  it('may read a coded body by two parsers at once, of which one refuses it: the other gets all', async () => {
    const value = Array.from({ length: 2000 }, (_, index) => Math.sin(index)).join() // does not compress well
    const body = `--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n${value}\r\n--b--\r\n`
    const coded = zlib.gzipSync(body)
    const type = () => true
    for (const [parser, expected] of [[subject.text({ type }), body], [subject.multipart({ type }), { a: value }]]) {
      const req = createRequest({ ...FORM_DATA, 'content-encoding': 'gzip' })
      const refused = new Promise((resolve) => subject.raw({ type, limit: 10 })(req, {}, resolve))
      const read = call(parser, req)
      req.write(coded.subarray(0, coded.length / 2))
      assert.equal((await refused).status, 413)
      req.end(coded.subarray(coded.length / 2))
      assert.equal(await read, undefined)
      assert.deepEqual(req.body, expected)
    }
  })

  it('may return a promise of another realm for a type: a warning, and no rejection that nothing handles', async () => {
    const type = vm.runInNewContext('async () => { throw new Error("of the app") }')
    for (const parser of [subject.json({ type }), subject.raw({ type })]) {
      const unhandled = []
      const note = (error) => unhandled.push(error)
      const listeners = process.listeners('unhandledRejection')
      process.removeAllListeners('unhandledRejection').on('unhandledRejection', note)
      try {
        const req = createRequest(CHUNKED)
        assert.equal(await call(parser, req, '{}'), undefined)
        await delay(1)
      } finally {
        process.removeAllListeners('unhandledRejection')
        for (const listener of listeners) process.on('unhandledRejection', listener)
      }
      assert.deepEqual(unhandled, [])
    }
  })
})
