'use strict'

const assert = require('node:assert/strict')
const { PassThrough, Transform } = require('node:stream')
const { setImmediate: turn } = require('node:timers/promises')
const zlib = require('node:zlib')
const subject = require('fast-body-parser')
const { chooseLane, findCoding } = require('../../lib/core/inflate')
const findListedCoding = require('../../lib/extras/coding-lists')
const { listenedTo } = require('../support/create-exchange')
const { read, withZlib } = require('../support/decode')
const exchange = require('../support/exchange')
const { messageOf, messagesOf } = require('../support/lanes')
const { typed } = require('../support/outcome')
const { table } = require('../support/table')

const KIB = 1024
const text = '{"name":"論","list":[1,2,3]}'
const object = JSON.parse(text)
const large = JSON.stringify(Array.from({ length: 40_000 }, (_, i) => (i * 7919) % 104729))
const lists = { codingLists: true }
const hasZstd = zlib.zstdCompressSync !== undefined

const compressors = {
  gzip: zlib.gzipSync,
  'x-gzip': zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: zlib.brotliCompressSync,
  ...(hasZstd ? { zstd: zlib.zstdCompressSync } : {})
}

/** Codes with the codings of a field, one after the other. */
function code (field, bytes) {
  const names = field.toLowerCase().split(/[ \t]*,[ \t]*/).filter((name) => name !== '')
  return names.reduce((coded, name) => compressors[name](coded), bytes)
}

function headersOf (field) {
  return { 'Content-Type': 'application/json', 'Content-Encoding': field }
}

function send (message, options, name = 'json') {
  return exchange(subject[name]({ ...lists, ...options }), message)
}

/** What holds for each request, whatever its outcome. */
function checkInvariants (seen, where) {
  assert.equal(seen.hangs, undefined, `hangs, ${where}`)
  assert.equal(seen.next, 1, `next is called once, ${where}`)
  assert.deepEqual(seen.listeners, [], `listeners, ${where}`)
  assert.equal(seen.hasBody, true, where)
}

/** Sends a body in all ways; `expected` is a body or the fields of an error. */
async function checkAll (request, options, expected, ways = /./) {
  for (const [way, message] of Object.entries(messagesOf(request)).filter(([way]) => ways.test(way))) {
    const seen = await send(message, options)
    checkInvariants(seen, way)
    assert.equal(seen.reusable, true, `the connection can be used again, ${way}`)
    if ('error' in expected) {
      assert.equal(seen.immediate, false, way)
      for (const [name, value] of Object.entries(expected.error)) {
        assert.deepEqual(seen.error.own?.[name]?.value ?? typed(seen.error[name]), typed(value), `error.${name}, ${way}`)
      }
      assert.equal(seen.body, 'undefined', way)
    } else {
      assert.equal(seen.error, 'none', way)
      assert.deepEqual(seen.body, typed(expected.body), way)
    }
  }
}

const tooLarge = (fields) => ({ error: { status: 413, type: 'entity.too.large', message: 'request entity too large', ...fields } })
const broken = { error: { status: 400, constructor: 'Error', type: undefined } }

/** A coded body of 20 bytes, which decodes to an empty one. */
const empty = zlib.gzipSync('')

describe('option codingLists', () => {
  describe('undoes', () => {
    const fields = [
      'gzip', 'br', 'deflate', 'x-gzip', 'X-GZIP',
      'gzip, br', 'br, gzip', 'br, gzip, deflate', 'deflate, deflate', 'gzip, x-gzip, gzip, x-gzip', 'x-gzip, br',
      'gzip,br', 'gzip ,\tbr', ' gzip  ,  br ', ',gzip,,br,', ', gzip', 'gzip, , , , , br', 'GZIP, Br', 'DEFLATE,gZip',
      ...(hasZstd ? ['zstd', 'gzip, zstd', 'zstd, br'] : [])
    ]
    for (const field of fields) {
      it(`"${field}"`, () => checkAll({ headers: headersOf(field), body: code(field.trim(), text) }, {}, { body: object }))
    }

    it('a large body', () => checkAll({ headers: headersOf('br, gzip'), body: code('br, gzip', large) }, { limit: '1mb' }, { body: JSON.parse(large) }, /together|random/))

    it('an empty body', () => checkAll({ headers: headersOf('gzip, br'), body: code('gzip, br', '') }, {}, { body: {} }))

    it('a list over several header fields', async () => {
      const { head, pieces } = messageOf({ headers: { 'Content-Type': 'application/json' }, body: code('deflate, br', text) })
      const fields = 'Content-Encoding: deflate\r\nContent-Encoding: br\r\n\r\n'
      assert.deepEqual((await send({ head: head.replace(/\r\n$/, fields), pieces })).body, typed(object))
    })

    it('a list for each parser', async () => {
      const types = { raw: 'application/octet-stream', text: 'text/plain', urlencoded: 'application/x-www-form-urlencoded' }
      const bodies = { raw: Buffer.from('a=1'), text: 'a=1', urlencoded: { a: '1' } }
      for (const [name, type] of Object.entries(types)) {
        const message = messageOf({ headers: { 'Content-Type': type, 'Content-Encoding': 'gzip, br' }, body: code('gzip, br', 'a=1') })
        assert.deepEqual((await send(message, {}, name)).body, typed(bodies[name]))
      }
      const custom = subject.createParser({ ...lists, type: 'a/b', parse: (text) => [text] })
      const message = messageOf({ headers: { 'Content-Type': 'a/b', 'Content-Encoding': 'gzip, br' }, body: code('gzip, br', 'a=1') })
      assert.deepEqual((await exchange(custom, message)).body, typed(['a=1']))
    })

    it('the whole list before verify is called', async () => {
      const seen = []
      const verify = (req, res, bytes) => { seen.push(String(bytes), String(req.rawBody)) }
      await send(messageOf({ headers: headersOf('gzip, br'), body: code('gzip, br', text) }), { verify, rawBody: true })
      assert.deepEqual(seen, [text, text])
    })

    it('no list in the wrong order, which is a 400', () =>
      checkAll({ headers: headersOf('br, gzip'), body: code('gzip, br', text) }, {}, broken, /together|halves/))
  })

  describe('refuses with 415', () => {
    const fields = [
      'bogus', 'gzip, bogus', 'bogus, gzip', 'gzip, compress', 'identity, gzip', 'gzip, identity', 'gzip;q=1, br', 'gzip br', 'x-deflate', 'x-gzip2',
      'gzip, gzip, gzip, gzip, gzip', 'br,gzip,br,gzip,deflate', 'constructor', '__proto__', ',', ', ,',
      ...(hasZstd ? [] : ['zstd', 'gzip, zstd'])
    ]
    for (const field of fields) {
      it(`"${field}"`, async () => {
        for (const chunked of [false, true]) {
          const seen = await send(messageOf({ headers: headersOf(field.toUpperCase()), body: text, chunked }))
          checkInvariants(seen, field)
          assert.equal(seen.error.status, 415)
          assert.equal(seen.error.type, 'encoding.unsupported')
          assert.equal(seen.error.message, `unsupported content encoding "${field.toLowerCase()}"`)
          assert.deepEqual(seen.error.own.encoding.value, typed(field.toLowerCase()))
        }
      })
    }
  })

  describe('holds the output of each decoder against the limit:', () => {
    const limit = 100 * 1024
    const zeros = Buffer.alloc(30 * 1024 * 1024)
    const ways = /together|afterwards|halves|random/

    for (const field of ['gzip, br', 'gzip, gzip', 'gzip, gzip, gzip', 'br, br', 'deflate, gzip, br']) {
      it(`30 MB of zeros in ${field}`, () =>
        checkAll({ headers: headersOf(field), body: code(field, zeros) }, {}, tooLarge({ limit }), ways))
    }

    // Without a limit of its own, the stage before would hand out ever so much
    // that comes to nothing in the next.
    const idle = (count) => Buffer.concat([...Array(count).fill(empty), zlib.gzipSync('{}')])
    const most = Math.floor(limit / empty.length) - 2
    for (const outer of ['gzip', 'br', 'deflate']) {
      it(`an inner body over the limit that decodes to little, in ${outer}`, async () => {
        const request = (count) => ({ headers: headersOf(`gzip, ${outer}`), body: code(outer, idle(count)) })
        await checkAll(request(most), {}, { body: {} }, ways)
        await checkAll(request(20 * most), {}, tooLarge({ limit }), ways)
      })
    }

    it('an output over the limit in the middle of three codings', () =>
      checkAll({ headers: headersOf('gzip, gzip, br'), body: code('br', code('gzip', idle(20 * most))) }, {}, tooLarge({ limit }), ways))

    it('an output of as many bytes as the limit, and of one more', async () => {
      const stored = zlib.gzipSync('["abc"]', { level: 0 }) // longer than what is in it
      const request = { headers: headersOf('gzip, deflate'), body: zlib.deflateSync(stored) }
      await checkAll(request, { limit: stored.length }, { body: ['abc'] })
      await checkAll(request, { limit: stored.length - 1 }, tooLarge({ limit: stored.length - 1, received: stored.length }))
      const more = { headers: headersOf('deflate, gzip'), body: zlib.gzipSync(zlib.deflateSync(`["${'a'.repeat(96)}"]`)) }
      await checkAll(more, { limit: 100 }, { body: ['a'.repeat(96)] })
      await checkAll(more, { limit: 99 }, tooLarge({ limit: 99, received: 100 }))
    })

    it('any output with limit: Infinity', async () => {
      const [message] = Object.values(messagesOf({ headers: headersOf('gzip, gzip'), body: code('gzip, gzip', large) }))
      assert.equal((await send(message, { limit: Infinity })).error, 'none')
    })
  })

  describe('reports a body that is', () => {
    const fields = ['gzip, br', 'br, gzip', 'deflate, gzip', 'gzip, deflate', 'br, gzip, deflate']
    const ways = /together|halves|random/

    for (const field of fields) {
      const names = field.split(', ')
      names.forEach((name, stage) => {
        // the codings up to this one, what happens to its bytes, and the others
        const spoil = (change) => ({
          headers: headersOf(field),
          body: code(names.slice(stage + 1).join(','), change(code(names.slice(0, stage + 1).join(','), Buffer.from(text))))
        })
        it(`cut off in ${name}, coding ${stage + 1} of ${field}`, () => checkAll(spoil((bytes) => bytes.subarray(0, -3)), {}, broken, ways))
        it(`empty in ${name}, coding ${stage + 1} of ${field}`, () => checkAll(spoil(() => Buffer.alloc(0)), {}, broken, ways))
        it(`corrupt in ${name}, coding ${stage + 1} of ${field}`, () => checkAll(spoil((bytes) => Buffer.alloc(bytes.length, 255)), {}, broken, ways))
        it(`corrupt amid ${name}, coding ${stage + 1} of ${field}`, () => checkAll(spoil((bytes) => {
          const half = bytes.length >> 1
          return Buffer.concat([bytes.subarray(0, half), Buffer.alloc(bytes.length - half, 255)])
        }), {}, broken, ways))
      })
    }

    it('not JSON', () => checkAll({ headers: headersOf('gzip, br'), body: code('gzip, br', '{"a":') }, {}, { error: { status: 400, type: 'entity.parse.failed', body: '{"a":' } }))

    it('aborted', async () => {
      const coded = code('gzip, br', JSON.stringify(Array.from({ length: 5000 }, Math.random)))
      for (const chunked of [false, true]) {
        for (const size of [0, 1, 500]) {
          const message = messageOf({ headers: headersOf('gzip, br'), body: coded.subarray(0, size), length: coded.length, chunked, cut: true })
          const seen = await send(message)
          checkInvariants(seen, `${size} bytes`)
          assert.equal(seen.error.status, 400)
          assert.equal(seen.error.type, 'request.aborted')
          assert.deepEqual(seen.error.own.code.value, typed('ECONNABORTED'))
          assert.deepEqual(seen.error.own.received.value, typed(size))
        }
      }
    })

    it('followed by other bytes, as for one coding', async () => {
      const junk = Buffer.from('junk')
      // what decodes it first says whether it takes more
      for (const field of ['gzip, br', 'gzip, deflate']) {
        await checkAll({ headers: headersOf(field), body: Buffer.concat([code(field, text), junk]) }, {}, { body: object }, /together|afterwards/)
      }
      const error = { error: { status: 400, code: 'Z_DATA_ERROR' } }
      await checkAll({ headers: headersOf('br, gzip'), body: Buffer.concat([code('br, gzip', text), junk]) }, {}, error, /together/)
      // and so it is within
      await checkAll({ headers: headersOf('br, gzip'), body: code('gzip', Buffer.concat([code('br', text), junk])) }, {}, { body: object }, /together/)
      await checkAll({ headers: headersOf('gzip, br'), body: code('br', Buffer.concat([code('gzip', text), junk])) }, {}, error, /together/)
      await checkAll({ headers: headersOf('gzip, br'), body: code('br', Buffer.concat([code('gzip', text), Buffer.alloc(5)])) }, {}, { body: object }, /together/)
    })
  })

  describe('of each parser', () => {
    const { createBudget, problemDetails, refuseUnparsed, ...parsers } = subject
    const factories = { ...parsers, createParser: (options) => subject.createParser({ type: 'a/b', parse: String, ...options }) }
    for (const [name, factory] of Object.entries(factories)) {
      it(`must be true or false for ${name}`, () => {
        for (const codingLists of [1, 0, 'true', '', {}, ['gzip']]) {
          assert.throws(() => factory({ codingLists }), { name: 'TypeError', message: 'option codingLists must be true or false' })
        }
        for (const codingLists of [undefined, null, false, true]) assert.equal(typeof factory({ codingLists }), 'function')
      })

      it(`cannot be combined with inflate: false for ${name}`, () => {
        assert.throws(() => factory({ codingLists: true, inflate: false }), { name: 'TypeError', message: 'option codingLists cannot be combined with inflate: false' })
        for (const codingLists of [undefined, false]) assert.equal(typeof factory({ codingLists, inflate: false }), 'function')
        assert.equal(typeof factory({ codingLists: true, inflate: true }), 'function')
      })
    }
  })

  // body-parser takes no notice of the option
  describe('changes nothing', () => {
    const row = (it, field, body, options, more) => ({ it, parser: 'json', headers: headersOf(field), body, options, ...more })
    const together = { arrivals: ['together'] }
    describe('if it is off:', () => {
      table(['gzip, br', 'gzip,gzip', 'gzip,', 'x-gzip', 'GZIP, BR', ',', 'identity, gzip'].flatMap((field) => [
        row(`"${field}" is refused with 415 by default`, field, text, {}, { expect: { error: { status: 415, encoding: field.toLowerCase() } } }),
        row(`"${field}" is refused with 415 for a chunked body`, field, text, { codingLists: false }, { chunked: true, expect: { error: { status: 415 } } }),
        row(`"${field}" is refused by inflate: false`, field, text, { inflate: false }, { expect: { error: { status: 415, message: 'content encoding unsupported' } } })
      ]))
    })
    describe('for one coding:', () => {
      table(['gzip', 'deflate', 'br', 'BR'].flatMap((field) => [
        row(`${field} is undone`, field, code(field, text), lists, { expect: { body: object } }),
        row(`${field} is undone in chunks`, field, code(field, text), lists, { expect: { body: object }, chunked: true }),
        row(`${field} is undone for a large body`, field, code(field, large), { ...lists, limit: '1mb' }),
        row(`${field} is a 400 for a body that is not coded`, field, 'this is no coded body at all', lists),
        row(`${field} is a 400 for a body that is cut off`, field, code(field, text).subarray(0, -3), lists),
        row(`${field} is subject to the limit`, field, code(field, large), lists, together)
      ]))
    })
    describe('without a coding:', () => {
      table([
        row('identity leaves the body as it is', 'identity', text, lists, { expect: { body: object } }),
        row('an empty field leaves the body as it is', '', text, lists, { expect: { body: object } }),
        row('an unknown coding is refused', 'bogus', text, lists, { expect: { error: { status: 415, encoding: 'bogus' } } })
      ])
    })
  })
})

describe('findListedCoding', () => {
  const twice = (bytes) => zlib.gzipSync(zlib.gzipSync(bytes))

  /** The source for a body of these codings, as `read` chooses it. */
  const sourceOf = (field, find = findListedCoding) => chooseLane(find(field), 10)

  it('finds a single coding, also by its alias', () => {
    assert.equal(findListedCoding('gzip'), findCoding('gzip'))
    assert.equal(findListedCoding(' ,x-gzip,'), findCoding('gzip'))
  })

  it('undoes codings in the opposite order, for each body anew', async () => {
    const codings = {
      'gzip, br': zlib.brotliCompressSync(zlib.gzipSync('body')),
      'x-gzip,deflate,,br ': zlib.brotliCompressSync(zlib.deflateSync(zlib.gzipSync('body')))
    }
    for (const [field, coded] of Object.entries(codings)) {
      const source = sourceOf(field)
      for (let i = 0; i < 3; i++) {
        const { exchange, result } = await read(source, (req) => req.end(coded))
        assert.deepEqual([exchange.lane, String(result)], ['stream', 'body'])
      }
    }
  })

  it('refuses more than four codings, unknown ones, and a list of none', () => {
    assert.notEqual(findListedCoding(Array(4).fill('gzip').join()), undefined)
    for (const field of ['', ',', Array(5).fill('gzip').join(), 'gzip,bogus', 'toString']) assert.equal(findListedCoding(field), undefined)
  })

  // [what, coded body, result, act]
  const rows = [
    ['a body', twice('body'), 'body'],
    ['a body over the limit', twice(Buffer.alloc(300 * KIB)), 'entity.too.large'],
    ['a body over the limit when it is decoded once', zlib.gzipSync(Buffer.concat(Array(20 * KIB).fill(zlib.gzipSync('')))), 'entity.too.large'],
    ['an outer coding that is cut off', twice('body').subarray(0, -5), 'Z_BUF_ERROR'],
    ['an inner coding that is cut off', zlib.gzipSync(zlib.gzipSync('body').subarray(0, -5)), 'Z_BUF_ERROR'],
    ['a body that is not coded', Buffer.from('junk'), 'Z_DATA_ERROR'],
    ['a body that is coded once', zlib.gzipSync('junk'), 'Z_DATA_ERROR'],
    ['a request that is destroyed', undefined, 'request.aborted', async (req) => {
      req.write(twice('body').subarray(0, 9))
      await turn()
      req.destroy()
    }]
  ]
  for (const [what, coded, expected, act = (req) => req.end(coded)] of rows) {
    it(`destroys all decoders, and leaves no listener, after ${what}`, async () => {
      const decoders = []
      const { createGunzip } = zlib
      const { req, result, count } = await withZlib({
        createGunzip () {
          decoders.push(createGunzip())
          return decoders.at(-1)
        }
      }, (_, find) => read(sourceOf('gzip, gzip', find), act))
      assert.equal(result instanceof Error ? result.type ?? result.code : String(result), expected)
      assert.deepEqual([count, decoders.map(({ destroyed }) => destroyed)], [1, [true, true]])
      assert.deepEqual(listenedTo(req).filter((name) => name !== 'prefinish'), [])
    })
  }

  /** Reads a body through two decoders. */
  function readThrough (decoders, act, settings) {
    const left = [...decoders]
    return withZlib({ createGunzip: () => left.shift() }, (_, find) => read(sourceOf('gzip, gzip', find), act, settings))
  }

  it('reports only the first failure of a decoder', async () => {
    const decoder = new PassThrough()
    setImmediate(() => {
      for (let i = 0; i < 2; i++) decoder.emit('error', new Error(`failure ${i}`))
    })
    const { result, count } = await readThrough([decoder, new PassThrough()], (req) => req.write('x'))
    assert.deepEqual([result.message, count], ['failure 0', 1])
  })

  it('lets no decoder emit more than the limit', async () => {
    const sizes = []
    const counter = (factor) => new Transform({
      transform (chunk, _, done) {
        sizes.push(chunk.length)
        done(null, Buffer.alloc(chunk.length * factor))
      }
    })
    const attempt = (limit) => readThrough([counter(10), counter(0.1)], (req) => req.end(Buffer.alloc(10)), { limit })
    assert.equal((await attempt(100)).result.length, 10)
    assert.deepEqual(sizes, [10, 100])
    const { result, count } = await attempt(99)
    assert.deepEqual([result.received, result.limit, count], [100, 99, 1])
  })
})
