'use strict'

// What other code of the process may have done: getters that throw, values of another realm, another parser at once.

const assert = require('node:assert/strict')
const { PassThrough, Readable } = require('node:stream')
const { setImmediate: turn } = require('node:timers/promises')
const vm = require('node:vm')
const zlib = require('node:zlib')
const theirs = require('body-parser')
const subject = require('fast-body-parser')

const JSON_TYPE = { 'content-type': 'application/json' }

/** @returns {Promise<unknown>} what `next` gets */
const call = (parser, req) => new Promise((resolve) => parser(req, {}, resolve))

const createRequest = (headers) =>
  Object.assign(new PassThrough(), { headers: { ...JSON_TYPE, 'transfer-encoding': 'chunked', ...headers } })

describe('foreign code', () => {
  describe('that has read a body before', () => {
    const parser = subject.json({ buffered: true })
    const createRead = (fields) => Object.defineProperties({ headers: { ...JSON_TYPE, 'content-length': '2' } }, fields)
    const getter = (get) => ({ configurable: true, get })

    it('may leave a getter that throws: the error goes to next', async () => {
      const thrown = Object.assign(new Error('Invalid JSON'), { statusCode: 400 })
      for (const parser of [subject.json({ buffered: true }), subject.multipart({ buffered: true })]) {
        for (const name of ['body', 'rawBody']) {
          assert.equal(await call(parser, createRead({ [name]: getter(() => { throw thrown }) })), thrown)
        }
        // eslint-disable-next-line no-throw-literal
        const error = await call(parser, createRead({ body: getter(() => { throw undefined }) }))
        assert.equal(error.status, 500)
      }
    })

    it('is not asked for a body beside the bytes, and is asked once', async () => {
      let asked = 0
      let parsed
      const req = createRead({
        rawBody: getter(() => { asked++; return '{}' }),
        body: { get: assert.fail, set (value) { parsed = value } }
      })
      assert.equal(await call(parser, req), undefined)
      assert.deepEqual([parsed, asked], [{}, 1])
    })

    it('may leave an array of bytes of another realm', async () => {
      const rawBody = vm.runInNewContext('new Uint8Array([0x5B, 0x31, 0x5D])')
      assert.equal(rawBody instanceof Uint8Array, false)
      const req = createRead({ rawBody: { value: rawBody } })
      assert.equal(await call(parser, req), undefined)
      assert.deepEqual(req.body, [1])
    })
  })

  it('may have taken the memory of a chunk, which is an empty one then, as for body-parser', async () => {
    for (const bodyParser of [subject, theirs]) {
      const chunk = new Uint8Array([0x7B, 0x7D])
      structuredClone(chunk.buffer, { transfer: [chunk.buffer] })
      const headers = { ...JSON_TYPE, 'transfer-encoding': 'chunked' }
      const req = Object.assign(Readable.from([chunk]), { headers })
      assert.deepEqual([await call(bodyParser.json(), req), req.body], [undefined, {}])
    }
  })

  it('may read a coded body by two parsers at once, of which one refuses it: the other gets all', async () => {
    const value = Array.from({ length: 2000 }, (_, index) => Math.sin(index)).join() // does not compress well
    const body = `--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n${value}\r\n--b--\r\n`
    const coded = zlib.gzipSync(body)
    const type = () => true
    for (const [parser, expected] of [[subject.text({ type }), body], [subject.multipart({ type }), { a: value }]]) {
      const req = createRequest({ 'content-type': 'multipart/form-data; boundary=b', 'content-encoding': 'gzip' })
      const refused = call(subject.raw({ type, limit: 10 }), req)
      const read = call(parser, req)
      req.write(coded.subarray(0, coded.length / 2))
      assert.equal((await refused).status, 413)
      req.end(coded.subarray(coded.length / 2))
      assert.equal(await read, undefined)
      assert.deepEqual(req.body, expected)
    }
  })

  it('may return a promise of another realm for a type: no rejection that nothing handles', async () => {
    const unhandled = []
    const note = (error) => unhandled.push(error)
    process.on('unhandledRejection', note)
    const type = vm.runInNewContext('async () => { throw new Error("of the app") }')
    const req = createRequest()
    const parsed = call(subject.json({ type }), req)
    req.end('{}')
    assert.equal(await parsed, undefined)
    await turn()
    process.removeListener('unhandledRejection', note)
    assert.deepEqual(unhandled, [])
  })
})
