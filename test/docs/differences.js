'use strict'

// docs/differences.md, section by section: what body-parser does, and what this
// package does. README has the list; all others follow its order.

const assert = require('node:assert/strict')
const { EventEmitter, once } = require('node:events')
const fs = require('node:fs')
const http = require('node:http')
const http2 = require('node:http2')
const net = require('node:net')
const path = require('node:path')
const { PassThrough } = require('node:stream')
const { setImmediate: turn } = require('node:timers/promises')
const zlib = require('node:zlib')
const theirs = require('body-parser')
const ours = require('fast-body-parser')
const confusesKeys = require('../support/confuses-keys')
const fuzz = require('../../reliability/fuzz/allowed-differences')
const matrix = require('../../reliability/matrix/request/allowed-differences')
const { untilRead } = require('../../tools/talk')

const ROOT = path.join(__dirname, '../..')
const page = fs.readFileSync(path.join(ROOT, 'docs/differences.md'), 'utf8')
const readme = fs.readFileSync(path.join(ROOT, 'README.md'), 'utf8')
const identifiers = Array.from(readme.matchAll(/^\d+\. \[.*?\]\(docs\/differences\.md#(.*?)\)/gm), ([, id]) => id)
const titles = Array.from(page.matchAll(/^## (.*)/gm), ([, title]) => title)
const sections = []

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

function section (title, tests) {
  sections.push(title)
  describe(title, tests)
}

/** @returns {PassThrough} a request of a framework whose requests are plain streams */
function createRequest (headers) {
  return Object.assign(new PassThrough(), { headers: { 'transfer-encoding': 'chunked', ...headers }, method: 'POST' })
}

/** What a middleware calls `next` with, and `req.body`, for pieces that arrive one after another. */
async function parse (middleware, headers, pieces) {
  const req = createRequest(headers)
  const outcome = new Promise((resolve) => middleware(req, {}, (error) => resolve({ error, body: req.body })))
  for (const piece of pieces) {
    req.write(piece)
    await turn()
  }
  req.end()
  return outcome
}

/** The same for a request whose events the test emits, so that it sees what a listener throws. */
function emit (middleware, headers, body) {
  const req = Object.assign(new EventEmitter(), {
    headers: { 'content-length': String(body.length), ...headers },
    method: 'POST'
  })
  const seen = {}
  middleware(req, {}, (error) => { seen.error = error })
  req.emit('data', Buffer.from(body))
  req.emit('end')
  return seen
}

/** The body at every cut into two pieces, and byte by byte. */
function cuts (bytes) {
  const pairs = Array.from({ length: bytes.length - 1 }, (_, i) => [bytes.subarray(0, i + 1), bytes.subarray(i + 1)])
  return [[bytes], ...pairs, Array.from(bytes, (byte) => Buffer.of(byte))]
}

/** Serves one request. `use` gets the client's socket, when the header is sent, and the server's. */
async function serve (handler, headers, use) {
  const server = http.createServer(handler)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = net.connect(server.address().port, '127.0.0.1').on('error', () => {})
  const [peer] = await once(server, 'connection')
  const lines = Object.entries({ host: 'test', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST / HTTP/1.1\r\n${lines.join('')}\r\n`)
  try {
    return await use(socket, peer)
  } finally {
    socket.destroy()
    server.close()
    server.closeAllConnections()
  }
}

/** The identifier of a section: GitHub's name of its heading, to which README links. */
const slugOf = (title) => title.toLowerCase().replace(/[^\w -]/g, '').replaceAll(' ', '-')

/** Lists of rules for differences that a tool may ignore, and why it does not meet the others. */
const ALLOWED = {
  'reliability/fuzz': fuzz,
  'reliability/matrix': matrix
}

describe('the differences that README lists', () => {
  it('are at most thirteen, numbered, and linked to nowhere else', () => {
    assert.deepEqual(Array.from(readme.matchAll(/^(\d+)\. \[/gm), ([, number]) => Number(number)),
      identifiers.map((_, i) => i + 1))
    assert.ok(identifiers.length > 10 && identifiers.length <= 13)
  })

  it('are the sections of docs/differences.md, in the same order', () =>
    assert.deepEqual(titles.map(slugOf), identifiers))

  it('are the sections of this file, in the same order', () => assert.deepEqual(sections.map(slugOf), identifiers))

  for (const [tool, { lists, NOT_MET }] of Object.entries(ALLOWED)) {
    it(`are those that ${tool} allows or does not meet, in the same order`, () => {
      const inOrder = (names) => identifiers.filter((id) => names.includes(id))
      const allowed = lists.map((rules) => Object.keys(rules))
      for (const names of [...allowed, Object.keys(NOT_MET)]) assert.deepEqual(names, inOrder(names))
      assert.deepEqual(inOrder([...allowed.flat(), ...Object.keys(NOT_MET)]), identifiers)
      for (const id of Object.keys(NOT_MET)) assert.ok(!allowed.flat().includes(id), id)
    })
  }
})

describe('docs/differences.md', () => {
  section('Paused requests', () => {
    const ways = {
      'pause()': (req) => req.pause(),
      'pipe() and unpipe()': (req) => {
        req.pipe(new PassThrough())
        req.unpipe()
      }
    }
    for (const [way, pause] of Object.entries(ways)) {
      for (const [what, bodyParser, isPaused] of [
        ['stay paused with body-parser', theirs, true],
        ['are resumed', ours, false]
      ]) {
        it(`${what}: by ${way}`, async () => {
          const req = createRequest(JSON_TYPE)
          pause(req)
          const parsed = new Promise((resolve) => bodyParser.json()(req, {}, resolve))
          assert.equal(req.readableFlowing === false, isPaused)
          req.end('{"a":1}')
          req.resume()
          await parsed
          assert.deepEqual(req.body, { a: 1 })
        })
      }
    }
  })

  section('Requests that end early', () => {
    for (const [what, bodyParser, expected] of [
      ['within the aborted event with body-parser', theirs, ['next', 'aborted']],
      ['after it', ours, ['aborted', 'next']]
    ]) {
      it(`call next ${what}`, async () => {
        const order = []
        await serve((req, res) => {
          const { emit } = req
          req.emit = (...args) => {
            const result = emit.apply(req, args)
            if (args[0] === 'aborted') order.push('aborted')
            return result
          }
          bodyParser.json()(req, res, () => order.push('next'))
        }, { ...JSON_TYPE, 'content-length': 100 }, async (socket, peer) => {
          await untilRead(peer, socket)
          const closed = new Promise((resolve) => peer.on('close', resolve))
          socket.destroy()
          await closed
          await turn()
          assert.deepEqual(order, expected)
        })
      })
    }
  })

  section('What verify throws', () => {
    const getter = Object.defineProperty(new Error('no'), 'status', { get: () => 402 })
    const rows = [
      [null, 403], [undefined, 403], [5, 403], [() => {}, 403], [Object.freeze(new Error('no')), 403], [getter, 402]
    ]
    for (const [thrown, status] of rows) {
      const verify = () => { throw thrown }

      const what = thrown === getter ? 'an error with a getter' : String(thrown)
      it(`may be ${what}, which crashes the process with body-parser`, () => {
        assert.throws(() => emit(theirs.json({ verify }), JSON_TYPE, '{}'), TypeError)
        const { error } = emit(ours.json({ verify }), JSON_TYPE, '{}')
        assert.deepEqual([error.status, error.type], [status, 'entity.verify.failed'])
      })
    }
  })

  section('Promises of verify', () => {
    it('are ignored by body-parser', async () => {
      const verify = () => new Promise(() => {}) // never settles
      assert.deepEqual((await parse(theirs.json({ verify }), JSON_TYPE, ['{}'])).body, {})
    })

    it('give a verify with five parameters a signal', async () => {
      const seen = []
      for (const bodyParser of [theirs, ours]) {
        await parse(
          bodyParser.raw({
            type: () => true,
            verify: (req, res, bytes, charset, more) => { seen.push(more?.signal instanceof AbortSignal) }
          }),
          JSON_TYPE,
          ['{}']
        )
      }
      assert.deepEqual(seen, [false, true])
    })

    it('are awaited', async () => {
      const { error } = await parse(ours.json({ verify: async () => { throw new Error('no') } }), JSON_TYPE, ['{}'])
      assert.deepEqual([error.status, error.type, error.message], [403, 'entity.verify.failed', 'no'])
    })
  })

  section('Bodies over HTTP/2', () => {
    async function post (bodyParser) {
      const server = http2.createServer((req, res) =>
        bodyParser.json()(req, res, () => res.end(JSON.stringify({ body: req.body }))))
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      const client = http2.connect(`http://127.0.0.1:${server.address().port}`)
      const stream = client.request({ ':method': 'POST', ...JSON_TYPE }) // and no content-length
      stream.end('{"a":1}')
      const chunks = await stream.toArray()
      client.close()
      server.close()
      return JSON.parse(Buffer.concat(chunks))
    }

    it('are skipped by body-parser, if their length is not declared', async () =>
      assert.deepEqual(await post(theirs), {}))
    it('are parsed', async () => assert.deepEqual(await post(ours), { body: { a: 1 } }))
  })

  section('Draining after an error', () => {
    for (const [what, bodyParser, types] of [
      ['has no end with body-parser', theirs, []],
      ['is bounded by drainLimit', ours, ['entity.too.large']]
    ]) {
      it(what, async () => {
        const calls = []
        await serve((req, res) => {
          req.on('error', () => {})
          bodyParser.raw({ limit: 10, drainLimit: 1000, type: () => true })(req, res, (error) => {
            calls.push(error.type)
            res.end()
          })
        }, { 'content-length': 1e9 }, async (socket, peer) => {
          socket.write(Buffer.alloc(5000))
          await untilRead(peer, socket)
          await turn()
          assert.deepEqual(calls, types)
          if (types.length === 0) return
          const [answer] = await once(socket, 'data')
          assert.match(String(answer), /^connection: close\r$/mi)
        })
      })
    }
  })

  section('Wrong options', () => {
    it('fail while serving with body-parser: a defaultCharset that is not a string', () => {
      const parser = theirs.json({ defaultCharset: 5 })
      assert.throws(() => emit(parser, JSON_TYPE, '{}'), TypeError)
      assert.throws(() => ours.json({ defaultCharset: 5 }),
        { name: 'TypeError', message: 'option defaultCharset must be a string' })
    })

    it('fail while serving with body-parser: a request instead of options', () => {
      const req = createRequest(JSON_TYPE)
      assert.equal(typeof theirs.json(req, {}, () => {}), 'function') // next is never called
      assert.throws(() => ours.json(req, {}, () => {}), TypeError)
    })

    it('cut the form with body-parser: parameterLimit: "Infinity"', async () => {
      const form = Array.from({ length: 1001 }, (_, index) => `a${index}=1`).join('&')
      const options = { parameterLimit: 'Infinity' }
      assert.equal(Object.keys((await parse(theirs.urlencoded(options), FORM_TYPE, [form])).body).length, 1000)
      assert.equal(Object.keys((await parse(ours.urlencoded(options), FORM_TYPE, [form])).body).length, 1001)
    })

    it('come from a list of types that is copied', async () => {
      const bodies = []
      for (const bodyParser of [theirs, ours]) {
        const type = ['a/b', 'c/*']
        const parser = bodyParser.text({ type })
        type.push('text/plain')
        bodies.push((await parse(parser, { 'content-type': 'text/plain' }, ['body'])).body)
      }
      assert.deepEqual(bodies, ['body', undefined])
    })

    it('come from a type function that asks for `this`', async () => {
      const receivers = []
      const type = function () { return receivers.push(this) }
      for (const bodyParser of [theirs, ours]) await parse(bodyParser.text({ type }), FORM_TYPE, ['body'])
      assert.deepEqual([typeof receivers[0], receivers[1]], ['object', undefined])
    })
  })

  section('Characters that are cut', () => {
    const rows = [
      ['utf-7', Buffer.from('+AOQgrA- +- a'), 'ä€ + a'],
      ['big5', Buffer.from([0x88, 0x62, 0x41]), 'Ê̄A'],
      ['gb18030', Buffer.from([0x94, 0x32, 0xBE, 0x34, 0x41]), '𝄞A'],
      ['shift_jis', Buffer.from([0x81, 0x20, 0x41]), '\uFFFD A'],
      ['euc-kr', Buffer.from([0x81, 0x30, 0x41]), '\uFFFD0A'],
      ['gbk', Buffer.from([0x81, 0x30, 0x41]), '\uFFFD0A'],
      ['utf-16', Buffer.from(`${'論'.repeat(9)} a`, 'utf16le').swap16(), `${'論'.repeat(9)} a`]
    ]
    for (const [charset, bytes, text] of rows) {
      const headers = { 'content-type': `text/plain; charset=${charset}` }
      const textsOf = async (bodyParser) => {
        const texts = new Set()
        for (const pieces of cuts(bytes)) texts.add((await parse(bodyParser.text(), headers, pieces)).body)
        return [...texts]
      }

      it(`give a text of ${charset} that depends on the cuts with body-parser`, async () => {
        assert.ok((await textsOf(theirs)).length > 1)
      })

      it(`give the same text of ${charset} at every cut`, async () => assert.deepEqual(await textsOf(ours), [text]))
    }
  })

  section('JSON errors and long texts', () => {
    it('have the whole message in their stack, even if the body has $& in it', async () => {
      const titleOf = async (bodyParser) => {
        const { error } = await parse(bodyParser.json(), JSON_TYPE, ['$& x'])
        return [error.message, error.stack.split('\n')[0] === `SyntaxError: ${error.message}`]
      }
      const [message, isWhole] = await titleOf(ours)
      assert.ok(isWhole)
      assert.deepEqual(await titleOf(theirs), [message, false])
    })

    it('are a 400, if a text is too long for a string', async function () {
      this.timeout(60_000)
      const chunk = Buffer.alloc(2 ** 24, 'a')
      const { error } = await parse(ours.text({ limit: Infinity }), { 'content-type': 'text/plain' },
        Array(33).fill(chunk))
      assert.deepEqual([error.status, error.type, error.code], [400, 'entity.parse.failed', 'ERR_STRING_TOO_LONG'])
    })
  })

  section('Which error, and received', () => {
    it('next is called within the end event of a small coded body, not after close', async () => {
      const orders = []
      for (const bodyParser of [theirs, ours]) {
        await serve((req, res) => {
          const order = []
          bodyParser.json()(req, res, () => {
            order.push('next')
            res.end()
          })
          req.on('end', () => order.push('end')).on('close', () => order.push('close'))
          orders.push(order)
        }, { ...JSON_TYPE, 'content-encoding': 'gzip', 'content-length': zlib.gzipSync('{}').length },
        async (socket) => {
          socket.write(zlib.gzipSync('{}'))
          await once(socket, 'data')
        })
      }
      assert.deepEqual(orders, [['end', 'close', 'next'], ['next', 'end', 'close']])
    })

    const noise = Array.from({ length: 300 }, (_, index) => (index * 7919 % 36).toString(36)).join('')
    const bytes = zlib.gzipSync(noise)
    const headers = {
      'content-encoding': 'gzip',
      'transfer-encoding': undefined,
      'content-length': String(bytes.length)
    }
    const errorsOf = async (bodyParser, bytes) => {
      const errors = new Set()
      for (const pieces of [[bytes], Array.from(bytes, (byte) => Buffer.of(byte))]) {
        const { error } = await parse(bodyParser.raw({ limit: 10, type: () => true }), headers, pieces)
        errors.add(`${error.status} ${error.received}`)
      }
      return [...errors]
    }

    it('depend on the cuts with body-parser: received', async () =>
      assert.equal((await errorsOf(theirs, bytes)).length, 2))
    it('do not, of a small coded body: received', async () =>
      assert.deepEqual(await errorsOf(ours, bytes), ['413 300']))

    const faulty = Buffer.from(bytes)
    faulty[faulty.length - 6] ^= 1 // of the checksum

    it('depend on the cuts with body-parser: a faulty body over the limit', async () => {
      assert.deepEqual((await errorsOf(theirs, faulty)).map((error) => error.slice(0, 3)), ['400', '413'])
    })

    it('do not, of a small coded body: a faulty body over the limit', async () =>
      assert.deepEqual(await errorsOf(ours, faulty), ['400 undefined']))
  })

  section('Options of this package', () => {
    it('mean nothing to body-parser', async () => {
      const refused = async (bodyParser) =>
        (await parse(bodyParser.json({ depth: 1 }), JSON_TYPE, ['[[]]'])).error?.type
      assert.equal(await refused(theirs), undefined)
      assert.equal(await refused(ours), 'entity.too.deep')
    })

    it('come with functions that body-parser does not have', () => {
      const own = Object.keys(ours).filter((name) => !(name in theirs))
      assert.ok(own.includes('createParser'))
      for (const name of own) assert.ok(page.includes(`\`${name}\``), name)
    })
  })

  section('Loading', () => {
    it('no copy of a chunk that is the whole body', async () => {
      const areSame = []
      for (const bodyParser of [theirs, ours]) {
        const req = createRequest({ 'content-type': 'a/b' })
        const chunks = []
        req.on('data', (chunk) => chunks.push(chunk))
        const parsed = new Promise((resolve) => bodyParser.raw({ type: 'a/b' })(req, {}, resolve))
        req.end(Buffer.alloc(1000))
        await parsed
        areSame.push(chunks[0] === req.body)
      }
      assert.deepEqual(areSame, [false, true])
    })

    it('bytes of strings that a mock emits, not characters', () => {
      const bodies = [[theirs, 5], [ours, 6]].map(([bodyParser, length]) => {
        const req = Object.assign(new EventEmitter(), {
          headers: { ...JSON_TYPE, 'content-length': String(length) },
          method: 'POST'
        })
        bodyParser.json()(req, {}, () => {})
        req.emit('data', '["é"]')
        req.emit('end')
        return req.body
      })
      assert.deepEqual(bodies, [['é'], ['é']])
    })
  })

  section('Repairs of the platform', () => {
    it('keys of JSON that another body had', async () => {
      const keysAfter = async (bodyParser) => {
        const poison = await parse(bodyParser.json(), JSON_TYPE, ['{"key of a difference":1,"\\\\":2}'])
        const { body } = await parse(bodyParser.json(), JSON_TYPE, ['{"key of a difference":1,"\\u00e9":2}'])
        assert.equal(poison.body['\\'], 2)
        return Object.keys(body)[1]
      }
      assert.equal(await keysAfter(ours), 'é')
      assert.equal(await keysAfter(theirs), confusesKeys() ? '\\' : 'é')
    })

    it('names of a form that an app has made read-only', async () => {
      const outcomeOf = async ({ urlencoded }) => {
        // eslint-disable-next-line no-extend-native
        Object.defineProperty(Object.prototype, 'special', { __proto__: null, value: undefined, configurable: true })
        try {
          const { error, body } = await parse(urlencoded(), FORM_TYPE, ['special=1'])
          return error?.status ?? body
        } finally {
          delete Object.prototype.special
        }
      }
      assert.deepEqual([await outcomeOf(theirs), await outcomeOf(ours)], [400, { special: '1' }])
    })

    if (zlib.zstdCompressSync === undefined) return
    const headers = { 'content-encoding': 'zstd', 'content-type': 'text/plain' }
    const [first, second] = ['one ', 'two'].map((text) => zlib.zstdCompressSync(text))
    const skippable = Buffer.from('502a4d1800000000', 'hex')
    const decodes = (...parts) => {
      try {
        return String(zlib.zstdDecompressSync(Buffer.concat(parts)))
      } catch {
        return 'error'
      }
    }
    const takesCut = decodes(first.subarray(0, -1)) !== 'error' // Node.js 22, and 24.0
    const dropsFrames = decodes(first, second) !== 'one two' // Node.js 22 and 24
    // [what, body, the result, whether body-parser has another one]
    const rows = [
      ['half a zstd frame', [first.subarray(0, 8)], '400', takesCut],
      ['a zstd frame of one byte less', [first.subarray(0, -1)], '400', takesCut],
      ['two zstd frames', [first, second], 'one two', dropsFrames],
      ['two zstd frames, the second cut off', [first, second.subarray(0, -1)], '400', dropsFrames],
      ['a skippable frame and another', [skippable, first], 'one ', dropsFrames],
      ['a zstd frame and other bytes', [first, Buffer.from('junk')], 'one ', dropsFrames]
    ]
    for (const [what, parts, expected, differs] of rows) {
      const resultsOf = async (bodyParser) => {
        const results = new Set()
        for (const pieces of [[Buffer.concat(parts)], parts, [parts[0], Buffer.alloc(0), ...parts.slice(1)]]) {
          const { error, body } = await parse(bodyParser.text(), headers, pieces)
          results.add(error === undefined ? body : String(error.status))
        }
        return [...results]
      }

      it(`are repaired: ${what}`, async () => assert.deepEqual(await resultsOf(ours), [expected]))

      it(`${differs ? 'show' : 'do not show'} with body-parser: ${what}`, async () => {
        const results = await resultsOf(theirs)
        assert.equal(results.length > 1 || results[0] !== expected, differs)
      })
    }
  })
})
