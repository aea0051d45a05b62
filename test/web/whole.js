'use strict'

// Requests of servers, whose content is taken in one piece: those of a class of
// the server's own, and those of Bun and Deno, as what only these have is asked
// for in one file.

const assert = require('node:assert/strict')
const { getEventListeners } = require('node:events')
const { setImmediate: turn, setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const web = require('fast-body-parser/web')
const node = require('../../lib/web/node')
const { CODERS } = require('../support/coders')
const schemaOf = require('../support/schema-of')
const TYPES = require('../support/types')
const { builtins } = require('../support/where')
const within = require('../support/within')

const WEB = require.resolve('../../lib/web')

const TEXT = JSON.stringify({ a: Array.from({ length: 20 }, (_, n) => n * 7919) })
const LARGE = JSON.stringify(Array.from({ length: 9000 }, (_, n) => n * n * 7919 % 10_007))
/** What its end says of the size stays right, so that one call tries to decode it. */
const spoilMiddle = (bytes) => bytes.map((byte, n) => n > 12 && n < 30 ? byte ^ 0xFF : byte)

/** Bodies of JSON in a coding, and options of what reads them: of each coding, each server has a part in turn. */
const codedBodies = (code) => [
  ['a small body', code(TEXT)],
  ['a large body', code(LARGE)],
  ['a body of nothing', code('')],
  ['a body that is cut', code(TEXT).subarray(0, -2)],
  ['a body that is changed in its middle', spoilMiddle(code(TEXT))],
  ['a small body that decodes to more than the limit', code(JSON.stringify(Array(200).fill(0))),
    { limit: 100 }],
  ['a body beyond what is taken in one piece', code(LARGE.repeat(9)), { limit: 1e6 }],
  ['a body that takes its time', code(TEXT), { timeout: 5000 }]
]
const CODED = Object.fromEntries(Object.entries(CODERS).map(([coding, code]) => [coding, codedBodies(code)]))

const TWO_MARKS = '\uFEFF\uFEFFx'
const TWO_MARKS_MALFORMED = Buffer.from([0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF, 0xFF, 0xFF])

/** fast-body-parser/web where the runtime itself serves requests. */
function loadWhereServed () {
  const folder = WEB.slice(0, -'index.js'.length)
  const own = Object.keys(require.cache)
    .filter((file) => file.startsWith(folder))
    .map((file) => [file, require.cache[file]])
  for (const [file] of own) delete require.cache[file]
  require.cache[`${folder}node.js`] = { exports: { ...node, servesRequests: true } }
  try {
    return require(WEB)
  } finally {
    for (const file of Object.keys(require.cache)) if (file.startsWith(folder)) delete require.cache[file]
    for (const [file, module] of own) require.cache[file] = module
  }
}

/** Counts what is asked of it. */
class Counted extends Request {
  asked = []
  message = { complete: false, headers: Object.fromEntries(this.headers) } // of Node's server
  get body () { this.asked.push('body'); return super.body }
  get signal () { this.asked.push('signal'); return super.signal }
}

/** As that of @hono/node-server: `text()` removes a byte order mark. */
class Marking extends Counted {
  [Symbol('incomingKey')] = this.message
  async text () { this.asked.push('text'); return new TextDecoder().decode(await super.arrayBuffer()) }
  arrayBuffer () { this.asked.push('arrayBuffer'); return super.arrayBuffer() }
}

/** As that of srvx: `text()` leaves it, and there is a whole Request as well. */
class Leaving extends Counted {
  runtime = { name: 'node', node: { req: this.message } }
  get _request () { return assert.fail() }
  async text () { this.asked.push('text'); return Buffer.from(await super.arrayBuffer()).toString() }
  arrayBuffer () { this.asked.push('arrayBuffer'); return super.arrayBuffer() }
}

/** As those of a runtime that serves: the class is the global one. */
class Native {
  constructor (...args) {
    const request = new Request(...args)
    request.asked = []
    for (const name of ['body', 'signal']) {
      Object.defineProperty(request, name, {
        get () { request.asked.push(name); return Reflect.get(Request.prototype, name, request) }
      })
    }
    return request
  }
}

/** An app's own class, which knows of no server. */
class Own extends Counted {
  text () { return assert.fail() }
  arrayBuffer () { return assert.fail() }
}

const servers = {
  'of a class that removes marks': [Marking, web],
  'of a class that leaves marks, and makes a Request for bytes': [Leaving, web],
  'of the runtime': [Native, loadWhereServed()]
}
const SERVERS = Object.keys(servers)

function postTo (Class, type, body, fields, init) {
  const headers = { 'content-type': type, 'content-length': String(body?.length ?? 0), ...fields }
  return new Class('http://localhost/', { method: 'POST', headers, body, ...init })
}

const stalling = () => new ReadableStream({ start (controller) { controller.enqueue(new Uint8Array(2)) } })

async function isListened ({ signal }) {
  while (getEventListeners(signal, 'abort').length === 0) await delay(5)
}

async function settle (promise) {
  try {
    return { value: await promise }
  } catch ({ status, type, message, body, length, received, expected, limit }) {
    return { status, type, message, body, length, received, expected, limit }
  }
}

describe('fast-body-parser/web, content in one piece', () => {
  for (const [what, Class, declare] of [
    ['of a class of the app, which no server bounds', Own, () => {}],
    ['whose length is another one than its server has checked', Marking,
      ({ headers }) => headers.set('content-length', '5')],
    ['of a class that says that it is of Node, and has no message', Leaving,
      (request) => { request.runtime = { node: {} } }],
    ['of a class whose message is not of Node', Leaving, ({ message }) => { message.complete = undefined }]
  ]) {
    it(`is not taken of a Request ${what}`, async () => {
      let pulled = 0
      const body = new ReadableStream({
        pull (controller) {
          pulled++
          if (pulled < 100) controller.enqueue(new Uint8Array(1000))
          else controller.close()
        }
      })
      const request = postTo(Class, TYPES.json, body, { 'content-length': '9' }, { duplex: 'half' })
      declare(request)
      await assert.rejects(web.json({ limit: '10kb', drainLimit: 0 })(request), { status: 413 })
      assert.ok(pulled < 20, `${pulled} KB were read`)
    })
  }

  for (const [server, [Class, { json, raw, text, urlencoded }]] of Object.entries(servers)) {
    describe(server, () => {
      const readers = { json, raw, text, urlencoded }

      // The same content in chunks is right, whatever it is.
      for (const [name, options, type, content, seen] of [
        ['json', {}, TYPES.json, '{"a":"é"}', 'text'],
        ['json', {}, TYPES.json, '\uFEFF{"a":1}', 'text'],
        ['json', {}, TYPES.json, Buffer.from([0x5B, 0x22, 0xFF, 0xE2, 0x82, 0x22, 0x5D]), 'text'],
        ['json', {}, `${TYPES.json}; charset=utf-16le`, Buffer.from('{"a":"é"}', 'utf16le'), 'arrayBuffer'],
        ['json', { verify () { throw new Error('no') } }, TYPES.json, '\uFEFF{}', 'arrayBuffer'],
        ['json', { limit: 2 }, TYPES.json, '{}', 'text'],
        ['text', {}, TYPES.text, TWO_MARKS, 'text'],
        ['text', {}, TYPES.text, TWO_MARKS_MALFORMED, 'text'],
        ['text', {}, TYPES.text, '\uFEFF', 'text'],
        ['text', {}, TYPES.text, Buffer.from([0xEF, 0xBB, 0xBF, 0x61, 0xFF, 0xE2, 0x82]), 'text'],
        ['text', {}, TYPES.text, Buffer.from([0xF0, 0x9F, 0x98, 0xFF, 0xC3]), 'text'],
        ['text', {}, TYPES.text, '\uFFFD', 'text'],
        ['text', {}, `${TYPES.text}; charset=iso-8859-1`, Buffer.from([0xE9]), 'arrayBuffer'],
        ['raw', {}, TYPES.raw, Buffer.from([0xEF, 0xBB, 0xBF, 0, 255]), 'arrayBuffer'],
        ['urlencoded', {}, TYPES.urlencoded, 'a=1&b[c]=%C3%A9', 'text'],
        ['urlencoded', { defaultCharset: 'iso-8859-1' }, TYPES.urlencoded, 'a=%E9', 'arrayBuffer']
      ]) {
        const bytes = Buffer.from(content)
        const hasTwo = content === TWO_MARKS || content === TWO_MARKS_MALFORMED
        if (Class === Native && hasTwo && !node.servesRequests) continue // text() of Node removes both
        it(`is what it is in chunks: ${name} of ${Object.keys(options)}, ${type}, ${JSON.stringify(bytes.toString('latin1'))}`, async () => {
          const chunked = new Request('http://localhost/', {
            method: 'POST',
            headers: { 'content-type': type },
            body: bytes
          })
          const request = postTo(Class, type, bytes)
          assert.deepEqual(await settle(readers[name](options)(request)), await settle(web[name](options)(chunked)))
          const isPieces = Class === Leaving && seen === 'arrayBuffer'
          if (Class !== Native && !isPieces) assert.ok(request.asked.includes(seen), request.asked)
          assert.equal(request.asked.includes('body'), isPieces, request.asked)
        })
      }

      for (const [c, [coding, bodies]] of Object.entries(CODED).entries()) {
        const { it } = ['br', 'zstd'].includes(coding) ? builtins : globalThis
        const inTurn = bodies.filter((_, b) => (b + c) % SERVERS.length === SERVERS.indexOf(server))
        for (const [what, bytes, options] of inTurn) {
          it(`is what it is in chunks: ${what} in ${coding}`, async () => {
            const fields = { 'content-encoding': coding }
            const headers = { 'content-type': TYPES.json, ...fields }
            const chunked = () => new Request('http://localhost/', { method: 'POST', headers, body: bytes })
            for (const [name, others] of [['json'], ['json', { verify () {} }], ['raw', { type: '*/*' }]]) {
              const request = postTo(Class, TYPES.json, bytes, fields)
              const read = { ...options, ...others }
              const outcome = await settle(readers[name](read)(request))
              assert.deepEqual(outcome, await settle(web[name](read)(chunked())))
              if (outcome.value instanceof Uint8Array) {
                assert.equal(outcome.value.buffer.byteLength, outcome.value.length)
              }
              const inOnePiece = bytes.length <= Math.min(65536, options?.limit ?? 102_400) &&
                options?.timeout === undefined
              assert.equal(request.asked.includes('body'), !inOnePiece || Class === Leaving, request.asked)
            }
          })
        }
      }

      it('is decoded without zlib, too', () => within(process, { getBuiltinModule: undefined }, async () => {
        for (const text of [TEXT, LARGE]) {
          const request = postTo(Class, TYPES.json, zlib.gzipSync(text), { 'content-encoding': 'gzip' })
          assert.deepEqual(await json()(request), JSON.parse(text))
        }
      }))

      for (const [declared, body, error] of [
        ['2', '[1]', { type: 'request.size.invalid', length: 2, expected: 2, received: 3 }],
        ['9', '', { type: 'request.size.invalid', length: 9, expected: 9, received: 0 }],
        ['99', '["\uFFFD"]', { type: 'request.size.invalid', length: 99, expected: 99, received: 7 }],
        ['101', 'x'.repeat(101), { type: 'entity.too.large', length: 101, expected: 101, limit: 100 }],
        ['5', 'x'.repeat(1000), { type: 'request.size.invalid', length: 5, expected: 5, received: 1000 }]
      ]) {
        for (const [way, options] of [['text', {}], ['bytes', { verify () {} }]]) {
          it(`refuses ${body.length} bytes that say to be ${declared}, as ${way}`, async () => {
            const request = postTo(Class, TYPES.json, Buffer.from(body), { 'content-length': declared })
            const isCounted = Class === Leaving && way === 'bytes' && body.length > 101 // chunk by chunk
            const expected = isCounted ? { type: 'entity.too.large', received: 1000, limit: 100 } : error
            await assert.rejects(json({ limit: 100, ...options })(request), expected)
          })
        }
      }

      it('takes pieces where the length is not that of the content, or the time is bounded', async () => {
        for (const [options, fields, content] of [
          [{}, { 'content-encoding': 'x' }, 415],
          [{}, { 'transfer-encoding': 'chunked' }, [1]],
          [{}, { 'content-length': 'x' }, [1]],
          [{ timeout: 5000 }, {}, [1]]
        ]) {
          const request = postTo(Class, TYPES.json, Buffer.from('[1]'), fields)
          const { value, status } = await settle(json(options)(request))
          assert.deepEqual(value ?? status, content)
          if (content !== 415) assert.ok(request.asked.includes('body'))
        }
      })

      it('is empty without a body, whatever the length says', async () => {
        assert.deepEqual(await json()(postTo(Class, TYPES.json, undefined, { 'content-length': '5' })), {})
        const get = new Class('http://localhost/', { headers: { 'content-type': TYPES.json, 'content-length': '5' } })
        assert.deepEqual(await raw({ type: '*/*' })(get), new Uint8Array())
      })

      const itIfStreamsEnd = Class === Native ? () => {} : it // its streams fail instead
      itIfStreamsEnd('is not whole if the client has left, though it ends', async () => {
        const coded = { 'content-length': '9', 'content-encoding': 'gzip' }
        for (const fields of [{ 'transfer-encoding': 'chunked' }, coded]) {
          const aborted = new AbortController()
          const body = new ReadableStream({
            pull (stream) {
              stream.enqueue(new Uint8Array(2))
              aborted.abort()
              stream.close()
            }
          }, { highWaterMark: 0 })
          const request = postTo(Class, TYPES.text, body, fields, { duplex: 'half', signal: aborted.signal })
          await assert.rejects(text({ timeout: 60_000 })(request), { type: 'request.aborted' })
        }
      })

      it('is not read if the app has locked it, whatever the server says of that', async () => {
        const request = postTo(Class, TYPES.json, Buffer.from('[1]'))
        request.body.getReader()
        let isAsked = false
        const text = async () => {
          isAsked = true
          throw new TypeError('Response body object should not be disturbed or locked')
        }
        const own = { bodyUsed: { get: () => isAsked }, text: { value: text } }
        if (Class !== Native) Object.defineProperties(request, own)
        await assert.rejects(json()(request), { status: 500, type: 'stream.not.readable' })
      })

      it('is not read by others', async () => {
        for (const read of [(request) => request.text(), ({ body }) => body.getReader()]) {
          const request = postTo(Class, TYPES.json, Buffer.from('[1]'))
          await read(request)
          await assert.rejects(json()(request), { status: 500, type: 'stream.not.readable' })
        }
      })

      it('fails as its stream does', async () => {
        for (const fields of [{}, { 'content-encoding': 'gzip' }]) {
          const body = new ReadableStream({
            pull (controller) { controller.error(new Error('broken')) }
          }, { highWaterMark: 0 })
          const request = postTo(Class, TYPES.json, body, { 'content-length': '5', ...fields }, { duplex: 'half' })
          await assert.rejects(json()(request), { status: 400, message: 'broken' })
        }
      })

      it('is not waited for when the client has left, coded or not', async () => {
        const controller = new AbortController()
        const { signal } = controller
        const init = { duplex: 'half', signal }
        const codings = ['identity', 'identity', 'gzip']
        const requests = codings.map((coding) =>
          postTo(Class, TYPES.json, stalling(), { 'content-length': '9', 'content-encoding': coding }, init))
        const [first, second, coded] = requests.map(json())
        await Promise.all(requests.map(isListened)) // a listener comes late
        controller.abort()
        for (const promise of [first, second]) {
          await assert.rejects(promise, { type: 'request.aborted', code: 'ECONNABORTED', length: 9, received: 0 })
        }
        await assert.rejects(coded, { type: 'request.aborted', length: null })
        for (const request of requests) assert.equal(getEventListeners(request.signal, 'abort').length, 0)
      })

      it('is not waited for if the signal, which is asked for late, throws', async () => {
        class Odd extends (Class === Native ? Request : Class) { get signal () { throw new Error('no signal') } }
        const controller = new AbortController()
        const init = { duplex: 'half', signal: controller.signal }
        const [other, odd] = [Class, Odd].map((type) =>
          postTo(type, TYPES.json, stalling(), { 'content-length': '9' }, init))
        const aborted = assert.rejects(json()(other), { type: 'request.aborted' })
        await assert.rejects(json()(odd), { message: 'no signal' })
        await isListened(other)
        controller.abort()
        await aborted
      })

      it('tells that the client has left when the server rejects first', async () => {
        const controller = new AbortController()
        const body = new ReadableStream({
          pull (stream) { controller.abort(); stream.error(new Error('gone')) }
        }, { highWaterMark: 0 })
        const request = postTo(Class, TYPES.json, body, { 'content-length': '9' },
          { duplex: 'half', signal: controller.signal })
        await assert.rejects(json()(request), { type: 'request.aborted', length: 9 })
      })

      it('tells that the client has left where the server rejects before it aborts the signal', async () => {
        const read = (options, name, message, code) => {
          const error = Object.assign(new Error(message), { name, code })
          const body = new ReadableStream({ pull: (stream) => stream.error(error) }, { highWaterMark: 0 })
          return json(options)(postTo(Class, TYPES.json, body, { 'content-length': '9' }, { duplex: 'half' }))
        }
        for (const options of [{}, { timeout: 5000 }]) {
          const aborted = { status: 400, type: 'request.aborted', length: 9, received: 0 }
          await assert.rejects(read(options, 'BadResource', 'body is unavailable'), aborted)
          await assert.rejects(read(options, 'Http', 'unexpected EOF while reading HTTP/1 body'), aborted)
          await assert.rejects(read(options, 'Error', 'aborted', 'ECONNRESET'), aborted)
          await assert.rejects(read(options, 'Http', 'invalid chunk'), { status: 400, message: 'invalid chunk' })
        }
      })

      it('is a 415 for a schema if its type is another one', async () => {
        const schema = schemaOf(assert.fail)
        const other = { status: 415, type: 'media.type.unsupported' }
        await assert.rejects(json({ schema })(postTo(Class, 'a/b', Buffer.from('[1]'))), other)
      })

      it('asks for no signal of a body that is there', async () => {
        const request = postTo(Class, TYPES.json, Buffer.from('[1]'))
        assert.deepEqual([await json()(request), request.asked.includes('signal')], [[1], false])
      })
    })
  }

  it('is not parsed if it comes when the client has left', async () => {
    let give
    const whole = new Promise((resolve) => { give = resolve })
    class Late extends Marking { text () { return whole } }
    const controller = new AbortController()
    const request = postTo(Late, TYPES.json, Buffer.from('[1]'), {}, { signal: controller.signal })
    let isParsed = false
    const promise = web.json({ reviver: () => { isParsed = true } })(request)
    await isListened(request)
    controller.abort()
    await assert.rejects(promise, { type: 'request.aborted', length: 3 })
    give('[1]')
    await turn()
    assert.equal(isParsed, false)
  })

  it('is taken of what Bun makes for its routes, as Elysia has them', async () => {
    const request = postTo(Native, TYPES.json, Buffer.from('[2]'))
    const ofRoutes = Object.create(Request.prototype, { [Symbol.toStringTag]: { value: 'BunRequest' } })
    Object.setPrototypeOf(request, ofRoutes)
    assert.deepEqual(await servers['of the runtime'][1].json()(request), [2])
    assert.equal(request.asked.includes('body'), false)
  })

  it('is not taken of a class of the app that reads in another way, where the runtime serves', async () => {
    const { json, raw } = servers['of the runtime'][1]
    const unasked = { text: { value: assert.fail }, arrayBuffer: { value: assert.fail } }
    for (const [own, expected] of [[unasked, [1]], [{ body: { get: () => new Response('[2]').body } }, [2]]]) {
      class Derived extends Request {}
      Object.defineProperties(Derived.prototype, own)
      assert.deepEqual(await json()(postTo(Derived, TYPES.json, Buffer.from('[1]'))), expected)
      const bytes = await raw({ type: TYPES.json })(postTo(Derived, TYPES.json, Buffer.from('[1]')))
      assert.equal(Buffer.from(bytes).toString(), JSON.stringify(expected))
    }
  })

  it('is not asked of a Request that somebody made, nor of what is none', async () => {
    const request = postTo(Native, TYPES.json, Buffer.from('[1]'))
    const like = {
      headers: request.headers,
      bodyUsed: false,
      get body () { return request.body },
      text: () => assert.fail()
    }
    assert.deepEqual(await web.json()(like), [1])
    const { arrayBuffer, text } = Request.prototype
    const { body, headers } = postTo(Request, TYPES.json, Buffer.from('[2]'))
    const borrowing = { headers, bodyUsed: false, body, arrayBuffer, text }
    assert.deepEqual(await servers['of the runtime'][1].json()(borrowing), [2])
    assert.ok(node.servesRequests || request.asked.includes('body'))
  })
})
