'use strict'

// What other code of the process may have done: getters that throw, a polluted
// Object.prototype, chunks without memory, values of another realm.

const assert = require('node:assert/strict')
const fs = require('node:fs')
const { Socket } = require('node:net')
const os = require('node:os')
const path = require('node:path')
const { PassThrough, Readable } = require('node:stream')
const { setTimeout: delay } = require('node:timers/promises')
const vm = require('node:vm')
const zlib = require('node:zlib')
const theirs = require('body-parser')
const subject = require('fast-body-parser')
const multer = require('fast-body-parser/multer')
const web = require('fast-body-parser/web')
const Bytes = require('../../lib/core/bytes')
const { withoutByteOrderMark } = require('../../lib/json-slices/utf8')
const { addNested } = require('../../lib/uploads/multer/nest')
const HANG_TIME = require('../support/hang-time')
const { noteUncaught } = require('../support/uncaught')

const JSON_TYPE = { 'content-type': 'application/json' }
const CHUNKED = { ...JSON_TYPE, 'transfer-encoding': 'chunked' }
const FORM = '--b\r\nContent-Disposition: form-data; name="f"; filename="f.txt"\r\n\r\ncontent\r\n--b--\r\n'
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

/** A connection as the server gives it, as far as closing it goes. */
function createSocket () {
  const descriptor = { __proto__: null, value: true, configurable: true }
  return Object.defineProperties(new Socket(), {
    __proto__: null,
    destroySoon: descriptor,
    readable: descriptor,
    writable: descriptor
  })
}

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

  describe('that has polluted Object.prototype', () => {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'fast-body-parser-'))
    after(() => fs.rmSync(directory, { recursive: true }))
    const store = subject.multipart.disk(directory)

    const shared = new Error('the same for each request')
    const own = (options) => subject.createParser({ type: () => true, parse: (text) => text, ...options })
    const gzip = { ...CHUNKED, 'content-encoding': 'gzip' }
    const engine = {
      _handleFile (req, { stream }, callback) { stream.resume().on('end', () => callback(null, {})) },
      _removeFile (req, file, callback) { callback() }
    }
    const closing = () => ({ complete: false, httpVersionMajor: 1, socket: createSocket() })
    /**
     * @type {Record<string, [expected: object | undefined, parser: Function, headers: object, body: string | Buffer,
     * fields?: () => object]>}
     */
    const rows = {
      'a body': [undefined, subject.json(), CHUNKED, '{"a":1}'],
      'an escaped key': [undefined, subject.json({ reviver: (key, value) => value }), CHUNKED, '{"a\\n":1}'],
      'an unknown charset': [
        { status: 415 }, subject.json(), { ...CHUNKED, 'content-type': 'application/json; charset=utf-x' }, '{}'
      ],
      'an unknown charset of a text': [
        {
          status: 415,
          message: 'unsupported charset "UTF-X"',
          charset: 'utf-x',
          expose: true,
          type: 'charset.unsupported'
        },
        subject.text(), { ...CHUNKED, 'content-type': 'text/plain; charset=utf-x' }, 'x'
      ],
      'an unknown coding': [{ status: 415 }, subject.json(), { ...CHUNKED, 'content-encoding': 'x' }, '{}'],
      'a body over the limit': [
        { status: 413, type: 'entity.too.large', limit: 3 }, subject.json({ limit: 3 }), CHUNKED, '{"a":1}'
      ],
      'a connection that is closed': [
        { status: 413 }, subject.json({ limit: 3, drainLimit: 0 }), { ...JSON_TYPE, 'content-length': '9' }, '{"a":1}',
        closing
      ],
      'a coded body over the limit': [{ status: 413 }, subject.json({ limit: 3 }), gzip, zlib.gzipSync('{"a":1}')],
      'a body that cannot be parsed': [{ status: 400, type: 'entity.parse.failed' }, subject.json(), CHUNKED, '{'],
      'a body that is too deep': [{ status: 400 }, subject.json({ depth: 1 }), CHUNKED, '[[1]]'],
      'a verify that throws a text': [
        { status: 403, message: 'no' },
        // eslint-disable-next-line no-throw-literal
        subject.json({ verify () { throw 'no' } }),
        CHUNKED,
        '{}'
      ],
      'a parser that rejects the same error again': [
        { status: 400, body: '{}' }, own({ parse: () => Promise.reject(shared) }), CHUNKED, '{}'
      ],
      'a form': [undefined, subject.multipart(), FORM_DATA, FORM],
      'a form over the limit': [{ status: 413 }, subject.multipart({ limit: 9 }), FORM_DATA, FORM],
      'a form without a boundary': [
        { status: 400 }, subject.multipart(), { ...FORM_DATA, 'content-type': 'multipart/form-data' }, FORM
      ],
      'a form of multer': [undefined, multer().single('f'), FORM_DATA, FORM],
      'an engine of multer': [undefined, multer({ storage: engine }).single('f'), FORM_DATA, FORM],
      'a file over the limit of multer': [
        { code: 'LIMIT_FILE_SIZE', message: 'File too large' }, multer({ limits: { fileSize: 1 } }).single('f'),
        FORM_DATA, FORM
      ],
      'limits of multer': [undefined, (...args) => multer({ limits: { files: 1 } }).any()(...args), FORM_DATA, FORM],
      'a file that a filter takes': [
        undefined, subject.multipart({ files: { f: { filter: async () => true } } }), FORM_DATA, FORM
      ],
      'a file that a filter of multer takes later': [
        undefined, multer({ fileFilter: (req, file, done) => setImmediate(done, null, true) }).any(), FORM_DATA, FORM
      ],
      'files on the disk': [undefined, subject.multipart({ store }), FORM_DATA, FORM],
      'files on the disk that are removed': [
        { type: 'multipart.unterminated' }, subject.multipart({ store }), FORM_DATA, FORM.slice(0, -9)
      ],
      'a store': [
        undefined, subject.multipart({ store: async (file) => { file.resume() } }), FORM_DATA, FORM
      ],
      'a value of a parser of the app': [undefined, own({ parse: (text) => ({ text }) }), CHUNKED, '{}'],
      'a body that may be sliced': [undefined, subject.json({ cooperative: true }), CHUNKED, '{}']
    }
    for (const [name, values] of [
      ['get', [() => {}, 1]], ['set', [() => {}, 1]], ['value', [1]], ['configurable', [false]], ['enumerable', [1]],
      ['then', [() => {}]], ['0', [{ name: 'json', types: ['application/json'], limit: Infinity }]]
    ]) {
      it(`calls next, and ends nothing: ${name}`, async () => {
        for (const [what, [expected, parser, headers, body, fields]] of Object.entries(rows)) {
          for (const value of [...values, ...values]) {
            const req = createRequest(headers, fields?.())
            // eslint-disable-next-line no-extend-native
            Object.defineProperty(Object.prototype, name, {
              __proto__: null,
              value,
              configurable: true,
              writable: true
            })
            let error
            try {
              error = (await outcomeOf(parser, req, body)).error
            } finally {
              delete Object.prototype[name]
            }
            if (expected === undefined) assert.equal(error, undefined, what)
            else {
              for (const [field, value] of Object.entries(expected)) {
                assert.equal(error[field], value, `${what}, ${field}`)
              }
            }
          }
        }
      })
    }
  })

  it('that has set Object.prototype.value does not keep a parser from being made', () => {
    // eslint-disable-next-line no-extend-native
    Object.prototype.value = 'inherited'
    try {
      web.text()
    } finally {
      delete Object.prototype.value
    }
  })

  describe('that has set Object.prototype[0]', () => {
    /** @type {[what: string, value: unknown, act: () => unknown, expected: unknown][]} */
    const rows = [
      ['a list of multer', 'inherited', () => {
        const fields = Object.create(null)
        addNested(fields, 'a[0]', '1')
        addNested(fields, 'b[0][c]', '2')
        return [fields.a[0], Object.hasOwn(fields.b[0], ''), fields.b[0].c]
      }, ['1', false, '2']],
      ['chunks without bytes', {}, () => withoutByteOrderMark([Buffer.alloc(0)]).length, 0],
      ['a text whose charset is not named', 'latin1', () => Bytes.from('€').utf8Slice(), '€']
    ]
    for (const [what, value, act, expected] of rows) {
      it(`changes nothing of ${what}`, () => {
        // eslint-disable-next-line no-extend-native
        Object.prototype[0] = value
        let result
        try {
          result = act()
        } finally {
          delete Object.prototype[0]
        }
        assert.deepEqual(result, expected)
      })
    }
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
