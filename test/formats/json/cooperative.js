'use strict'

// Large bodies parsed in slices. The outcome must be that without the option, and
// with body-parser: each row is sent in every lane.

const assert = require('node:assert/strict')
const { once } = require('node:events')
const http = require('node:http')
const http2 = require('node:http2')
const { Readable } = require('node:stream')
const { setImmediate: turn, setTimeout: delay } = require('node:timers/promises')
const zlib = require('node:zlib')
const oracle = require('body-parser')
const fc = require('fast-check')
const parseInSlices = require('../../../lib/formats/json/cooperative')
const SliceParser = require('../../../lib/json-slices/parser')
const utf8 = require('../../../lib/json-slices/utf8')
const Task = require('../../../lib/json-slices/scheduler')
const { createStorage } = require('../../support/async-storage')
const exchange = require('../../support/exchange')
const { everyWay } = require('../../support/lane')
const { messageOf } = require('../../support/lanes')
const { typed } = require('../../support/outcome')
const { nextUncaught } = require('../../support/uncaught')
const subject = require('fast-body-parser')

const { json } = subject
const TYPE = 'application/json'
const RUNS = Number(process.env.FUZZ_RUNS) || 50
const PIECE = 32 * 1024
const AT_ONCE = 1e-9 // ms: each piece is a slice
const SLICED = { slice: AT_ONCE, threshold: 0 }

/**
 * Records each call of `step`: the parser, and what `markOf` returns then; and
 * whether one has failed, or the whole text was parsed. To be stopped.
 */
function spyOnSteps (markOf = () => undefined) {
  const { step, end } = SliceParser.prototype
  const calls = Object.assign([], { isOver: false })
  const watched = (method) => function (...args) {
    try {
      return method.apply(this, args)
    } catch (error) {
      calls.isOver = true
      throw error
    }
  }
  SliceParser.prototype.step = function () {
    calls.push({ parser: this, mark: markOf() })
    return watched(step).call(this)
  }
  SliceParser.prototype.end = function () {
    const value = watched(end).call(this)
    calls.isOver = true
    return value
  }
  calls.stop = () => Object.assign(SliceParser.prototype, { step, end })
  return calls
}

/** The outcome, without what depends on zlib's thread. */
function visible ({ complete, ended, listeners, immediate, ...seen }) {
  return seen
}

/** Sends a message; gives the outcome, and in how many steps it was parsed. */
async function send (middleware, message) {
  const steps = spyOnSteps()
  const seen = await exchange(middleware, message)
  steps.stop()
  return { seen, steps: steps.length }
}

/**
 * In each lane, the outcome is that without the option.
 *
 * @param {Buffer | string} body
 * @param {object} [options] besides `cooperative`
 * @param {object} [more]
 * @param {string} [more.type]
 * @param {boolean} [more.isSliced] whether it is to be parsed in slices
 * @param {boolean} [more.isKnown] whether body-parser has these options
 * @param {object} [more.cooperative]
 */
async function agrees (body, options = {}, {
  type = TYPE,
  isSliced = true,
  isKnown = true,
  cooperative = SLICED
} = {}) {
  let outcome
  for (const [way, message] of Object.entries(everyWay(type, body))) {
    const { seen, steps } = await send(json({ ...options, cooperative }), message)
    const without = await exchange(json(options), message)
    assert.deepEqual([seen.hangs, seen.next], [undefined, 1], way)
    assert.deepEqual(seen.listeners, [], way)
    assert.deepEqual(visible(seen), visible(without), way)
    assert.equal(steps > 0, isSliced, `${steps} slices, ${way}`)
    if (outcome === undefined && isKnown) {
      assert.deepEqual(visible(seen), visible(await exchange(oracle.json(options), message)),
        `as with body-parser, ${way}`)
    }
    outcome ??= seen
  }
  return outcome
}

async function parses (body, options, value, more) {
  const { error, body: parsed } = await agrees(body, options, more)
  assert.equal(error, 'none')
  assert.deepEqual(parsed, typed(value))
}

async function refuses (body, options, expected, more) {
  const { error, body: parsed, hasBody } = await agrees(body, options, more)
  for (const [name, value] of Object.entries(expected)) {
    assert.deepEqual(error[name] ?? error.own?.[name]?.value, value, name)
  }
  assert.deepEqual([parsed, hasBody], ['undefined', true])
}

const FAILED = { status: 400, type: 'entity.parse.failed', constructor: 'SyntaxError', expose: true }

const record = (index) => ({
  id: index,
  name: `user ${index} é😀`,
  tags: ['a', '"b"', '\\c\n'],
  active: index % 2 === 0,
  score: index * 1.5,
  nested: { a: { b: [[], {}, null] } }
})
const list = JSON.stringify(Array.from({ length: 12_000 }, (_, index) => record(index)))
const wrapped = JSON.stringify({
  count: 8000,
  data: Array.from({ length: 8000 }, (_, index) => record(index)),
  end: 'end'
}, null, 1)
const large = Buffer.from(`[${'"value",'.repeat(200_000)}1]`)

describe('option cooperative', () => {
  describe('parses the same values as without it', () => {
    const values = [
      '{"user":"tobi"}', '["tobi", 1, null, true]', ' \t\r\n {"a":1} \n', '[]', '{}', '[[[]],{"a":[{}]}]',
      '{"__proto__":{"x":[1]},"a":{}}', '{"a":1,"a":[2],"1":{}}',
      '{"name":"論 € é 😀","list":["\\ud800",[-0,1e999]]}'
    ]
    for (const text of values) it(`for ${JSON.stringify(text)}`, () => parses(text, {}, JSON.parse(text)))
    for (const text of ['true', '1', 'null', '"text"', ' 5 ', '"é😀\\n"', '-0']) {
      it(`for ${JSON.stringify(text)} with strict: false`, () => parses(text, { strict: false }, JSON.parse(text)))
    }

    it('for invalid UTF-8 near the end', () => agrees(Buffer.from('7b2261223a5b22ff22c35d7d', 'hex')))
    it('for invalid UTF-8 within strings', () =>
      agrees(Buffer.from('5b22ff22c328e28228f09f98225d5b', 'hex').subarray(0, -1)))

    it('for random JSON in chunks of random size', () => fc.assert(
      fc.asyncProperty(fc.json({ maxDepth: 5 }), fc.nat(10), fc.boolean(), async (text, size, strict) => {
        const outcomes = []
        for (const options of [{ strict, cooperative: SLICED }, { strict }]) {
          outcomes.push(await parseInChunks(json(options), Buffer.from(text), size + 1))
        }
        assert.deepEqual(outcomes[0], outcomes[1])
        assert.equal(JSON.stringify(outcomes[0]), JSON.stringify(outcomes[1]))
      }),
      { numRuns: RUNS }
    ))
  })

  describe('refuses with the same errors as without it', () => {
    const broken = [
      '{', '[', '{"a":1', '[1,]', '{"a":1}}', '{a:1}', '{"a":[1] "b":2}', '["\n"]', '["\\x"]', '[[1],,2]', '😀',
      '\u00a0{}', '\0', '#', '  \n', `[${'1,'.repeat(60)}x]`, `{"a":[${'"b",\n'.repeat(20)}]}`
    ]
    for (const strict of [true, false]) {
      for (const text of broken) {
        it(`for ${JSON.stringify(text).slice(0, 40)} with strict: ${strict}`, () =>
          refuses(text, { strict }, { ...FAILED, body: typed(text) }))
      }
    }
    for (const text of [
      'true', '1', 'null', '"text"', '  false', '"# and # again"', `"${'long '.repeat(30)}"`,
      `${' \n'.repeat(100)}"text"`, `${' '.repeat(60)}1`, '1 x', `"${'long '.repeat(30)}" x`, 'nope', '\n\n   tru'
    ]) {
      it(`for the primitive ${JSON.stringify(text).slice(0, 40)}`, () =>
        refuses(text, {}, { ...FAILED, body: typed(text) }))
    }

    it('for a large primitive after even more white space', async () => {
      const blanks = ' \n'.repeat(PIECE)
      for (const text of [
        `"${'text'.repeat(PIECE)}"`, `${blanks}"${'text'.repeat(20)}"`, `${blanks}1`, `${blanks}x`, blanks,
        `${blanks.slice(0, -60)}"text"`
      ]) {
        await refuses(text, { limit: '1mb' }, { ...FAILED, body: typed(text) })
      }
    })
  })

  describe('a byte order mark', () => {
    it('is removed', async () => {
      await parses('\ufeff{"a":1}', {}, { a: 1 })
      await parses('\ufeff "a"', { strict: false }, 'a')
      await refuses('\ufeff{"a":1', {}, { ...FAILED, body: typed('{"a":1') })
    })

    it('is removed once', async () => {
      await refuses('\ufeff\ufeff{}', {}, FAILED)
      await refuses('\ufeff\ufeff{}', { strict: false }, FAILED)
      for (const options of [{ onProtoPoisoning: 'error' }, { strict: false, onConstructorPoisoning: 'remove' }]) {
        await refuses('\ufeff\ufeff{}', options, FAILED, { isKnown: false })
      }
    })

    it('is an empty body if nothing follows', async () => {
      await parses('\ufeff', {}, {}, { isSliced: false })
      await parses('\ufeff', { empty: undefined }, undefined, { isSliced: false, isKnown: false })
    })

    it('is removed behind empty chunks, of a stream that is not a request', async () => {
      const req = requestOf(['', '', '', '\ufeff{"a"', '', ':[1]}'].map((text) => Buffer.from(text)))
      await new Promise((resolve, reject) =>
        json({ cooperative: SLICED })(req, {}, (error) => error ? reject(error) : resolve()))
      assert.deepEqual(req.body, { a: [1] })
    })

    it('is a syntax error in part', async () => {
      for (const count of [1, 2]) {
        await refuses(Buffer.concat([Buffer.from('\ufeff').subarray(0, count), Buffer.from('{}')]), {}, FAILED)
      }
    })
  })

  it('makes {} of an empty body, whatever the threshold', async () => {
    for (const threshold of [0, 1]) {
      for (const strict of [true, false]) {
        await parses('', { strict }, {}, { cooperative: { slice: AT_ONCE, threshold }, isSliced: false })
      }
    }
  })

  describe('threshold', () => {
    const text = JSON.stringify(['é'.repeat(30)])
    const { length } = Buffer.from(text)

    it('is the length of the largest body that is parsed in one call', async () => {
      await parses(text, {}, JSON.parse(text), { cooperative: { threshold: length }, isSliced: false })
      await parses(text, {}, JSON.parse(text), { cooperative: { threshold: length - 1 } })
      await parses(text, {}, JSON.parse(text), { cooperative: { threshold: `${length - 1}b` } })
      await parses(text, {}, JSON.parse(text), { cooperative: { threshold: `${length} bytes` }, isSliced: false })
    })

    it('is 256 KiB by default', async () => {
      for (const [size, isSliced] of [[262_144, false], [262_145, true]]) {
        for (const cooperative of [true, {}, { threshold: null }, { slice: 1 }]) {
          for (const chunked of [false, true]) {
            const { seen, steps } = await send(json({ limit: '1mb', cooperative }),
              messageOf({ headers: { 'Content-Type': TYPE }, body: `["${'x'.repeat(size - 4)}"]`, chunked }))
            assert.equal(seen.error, 'none')
            assert.equal(steps > 0, isSliced)
          }
        }
      }
    })

    it('applies to the decoded length of a coded body', async () => {
      const body = zlib.gzipSync(`["${'x'.repeat(1000)}"]`)
      for (const [threshold, isSliced] of [[1003, true], [1004, false]]) {
        for (const chunked of [false, true]) {
          const { seen, steps } = await send(json({ cooperative: { threshold } }),
            messageOf({ headers: { 'Content-Type': TYPE, 'Content-Encoding': 'gzip' }, body, chunked }))
          assert.equal(seen.error, 'none')
          assert.equal(steps > 0, isSliced)
        }
      }
    })
  })

  describe('other charsets than UTF-8', () => {
    for (const charset of ['utf-16', 'utf-16le', 'utf-16be', 'utf-32', 'utf-7']) {
      it(`are parsed in one call: ${charset}`, async () => {
        const iconv = require('iconv-lite')
        for (const text of ['{"a":["é"]}', '{"a":', '5']) {
          await agrees(iconv.encode(text, charset), {}, { type: `${TYPE}; charset=${charset}`, isSliced: false })
        }
      })
    }
    it('do not include UTF-8 in upper case', () =>
      parses('{"a":["é"]}', {}, { a: ['é'] }, { type: `${TYPE}; charset="UTF-8"` }))
    it('are refused with the same errors as without it', async () => {
      for (const charset of ['latin1', 'utf-x']) {
        await agrees('{}', {}, { type: `${TYPE}; charset=${charset}`, isSliced: false })
      }
    })
  })

  describe('with verify or rawBody', () => {
    const body = '{"a":["é",{"b":1}]}'

    it('shows the bytes as one Buffer', async () => {
      for (const [way, message] of Object.entries(everyWay(TYPE, body))) {
        for (const isAsync of [false, true]) {
          const calls = []
          let request
          const verify = (req, res, bytes, charset) => {
            calls.push([Buffer.isBuffer(bytes), String(bytes), req.rawBody === bytes, req.body, charset])
            return isAsync ? turn() : undefined
          }
          const parser = json({ verify, rawBody: true, cooperative: SLICED })
          const { seen, steps } = await send((req, res, next) => {
            request = req
            parser(req, res, next)
          }, message)
          assert.deepEqual(calls, [[true, body, true, undefined, 'utf-8']], way)
          assert.deepEqual([seen.error, seen.next, seen.body], ['none', 1, typed(JSON.parse(body))], way)
          assert.equal(String(request.rawBody), body)
          assert.ok(steps > 0)
        }
      }
    })

    it('reports what verify throws as without it', async () => {
      const reasons = [new Error('no'), Object.assign(new Error('no'), { status: 401, type: 'own' }), 'no', null]
      for (const reason of reasons) {
        const known = { isKnown: reason instanceof Error, isSliced: false }
        await agrees(body, { verify () { throw reason } }, known)
        await agrees(body, { verify: async () => { throw reason } }, { isKnown: false, isSliced: false })
      }
    })

    it('reports a syntax error as without it', async () => {
      for (const text of ['{"a":[1,]}', '5', '[[', ' ']) {
        await refuses(text, { verify () {} }, FAILED)
        await refuses(text, { rawBody: true }, FAILED, { isKnown: false })
      }
    })
  })

  it('parses bodies that were read before, with buffered', async () => {
    for (const body of ['{"a":[1,{"b":"é"}]}', '{"a":', '5', '\ufeff[]', '']) {
      for (const put of [
        (req, bytes) => { req.rawBody = bytes },
        (req, bytes) => { req.body = bytes },
        (req, bytes) => { req.body = String(bytes) },
        (req, bytes) => { req.rawBody = new Uint8Array(bytes) }
      ]) {
        const outcomes = []
        for (const cooperative of [SLICED, false]) {
          const parser = json({ buffered: true, cooperative })
          const req = { headers: { 'content-type': TYPE } }
          put(req, Buffer.from(body))
          const steps = spyOnSteps()
          const error = await new Promise((resolve) => parser(req, {}, resolve))
          steps.stop()
          assert.equal(steps.length > 0, cooperative !== false && body !== '')
          outcomes.push({ message: error?.message, type: error?.type, text: error?.body, body: req.body })
        }
        assert.deepEqual(outcomes[0], outcomes[1])
      }
    }
  })

  describe('works with the option', () => {
    const more = { isKnown: false }

    it('depth', async () => {
      for (const [depth, text] of [
        [1, '{"a":"[["}'], [2, '{"a":[1,"]"]}'], [3, '[{"a":{}},[]]'], [60, '['.repeat(60) + ']'.repeat(60)]
      ]) {
        await parses(text, { depth }, JSON.parse(text), more)
        await refuses(
          text,
          { depth: depth - 1 },
          {
            status: 400,
            type: 'entity.too.deep',
            message: 'the JSON exceeded the depth',
            depth: typed(depth - 1),
            body: typed(text)
          },
          more
        )
      }
      await parses('5', { depth: 0, strict: false }, 5, more)
      await refuses('"[["', { depth: 0 }, FAILED, more)
      await refuses('[1,]', { depth: 1 }, FAILED, more)
    })

    it('onProtoPoisoning and onConstructorPoisoning', async () => {
      const texts = [
        '{"a":1,"__proto__":{"x":7}}', '{"__proto__":null}', '[{"a":[{"__proto__":[],"b":2}]}]',
        '{"a":1,"constructor":{"prototype":{"x":7}}}', '{"constructor":{"b":[],"prototype":1},"c":2}',
        '{"constructor":{"name":1}}', '{"constructor":null}', '{"a":[]}', '[1,]', '5'
      ]
      for (const text of texts) {
        for (const action of ['error', 'remove']) {
          for (const options of [
            { onProtoPoisoning: action },
            { onConstructorPoisoning: action },
            { onProtoPoisoning: action, onConstructorPoisoning: action }
          ]) {
            const messages = everyWay(TYPE, text)
            for (const way of [
              'declared, together', 'chunked, afterwards', 'chunked, random', 'gzip chunked, together'
            ]) {
              const { seen } = await send(json({ ...options, cooperative: SLICED }), messages[way])
              const without = await exchange(json(options), messages[way])
              for (const { error } of [seen, without]) delete error.title // secure-json-parse's errors have no stack
              assert.deepEqual(visible(seen), visible(without), `${text}, ${way}`)
            }
          }
        }
      }
    })

    it('limit', async () => {
      const text = JSON.stringify(['x'.repeat(100)])
      await parses(text, { limit: text.length }, JSON.parse(text))
      await refuses(text, { limit: text.length - 1 }, { status: 413, type: 'entity.too.large' }, { isSliced: false })
    })
  })

  describe('parses a body of one to two megabytes like without it', () => {
    const lanes = {
      declared: (body, end = '') => ({ headers: { 'Content-Type': TYPE }, body: body + end }),
      chunked: (body, end = '') => ({
        headers: { 'Content-Type': TYPE },
        body: body + end,
        chunked: true,
        pieces: cut(Buffer.from(body + end), 70_001)
      }),
      'gzip, chunked': (body, end = '') => ({
        headers: { 'Content-Type': TYPE, 'Content-Encoding': 'gzip' },
        body: zlib.gzipSync(body + end),
        chunked: true
      })
    }
    const compact = { list, wrapped: JSON.stringify(JSON.parse(wrapped)) }
    for (const [lane, requestOf] of Object.entries(lanes)) {
      for (const [what, text] of Object.entries({ list, wrapped })) {
        it(`${what}, ${lane}`, async () => {
          for (const cooperative of [true, { slice: AT_ONCE }]) {
            const { error, body, steps, calls } = await receive(json({ limit: '3mb', cooperative }),
              messageOf(requestOf(text)))
            assert.equal(error, undefined)
            assert.equal(JSON.stringify(body), compact[what])
            assert.ok(steps >= text.length / PIECE)
            assert.equal(calls, 1)
          }
        })

        it(`${what}, with a syntax error, ${lane}`, async () => {
          const outcomes = []
          for (const cooperative of [true, false]) {
            const { error, body, calls } = await receive(json({ limit: '3mb', cooperative }),
              messageOf(requestOf(text, '\n"x')))
            assert.equal(error.body, `${text}\n"x`)
            outcomes.push({ ...error, message: error.message, title: error.stack.split('\n')[0], body, calls })
          }
          assert.equal(outcomes[0].type, 'entity.parse.failed')
          assert.deepEqual(outcomes[0], outcomes[1])
        })
      }
    }
  })

  it('finds the fault of a broken body in slices as well', async () => {
    const pieces = 32
    // A pass each: to parse, to explain, to quote, and to refuse the first token.
    for (const [text, passes] of [
      [`${' '.repeat(pieces * PIECE - 1)}5`, 2],
      [`${' '.repeat(pieces * PIECE - 1)}]`, 3]
    ]) {
      const turns = spyOnTurns()
      const { seen } = await send(json({ limit: '2mb', cooperative: { slice: AT_ONCE } }),
        messageOf({ headers: { 'Content-Type': TYPE }, body: text }))
      turns.stop()
      assert.equal(seen.error.type, 'entity.parse.failed')
      assert.ok(turns.count >= passes * pieces - passes, `${turns.count} slices`)
    }
  })

  it('reports that req.body cannot be set as without it', async () => {
    for (const text of ['{"a":1}', '{"a":', '5']) {
      const outcomes = []
      for (const cooperative of [SLICED, false]) {
        const parser = json({ cooperative })
        for (const message of Object.values(everyWay(TYPE, text))) {
          const { seen } = await send(
            (req, res, next) => parser(Object.defineProperty(req, 'body', { get: () => 'kept' }), res, next),
            message
          )
          outcomes.push(visible(seen))
        }
      }
      assert.deepEqual([outcomes[0].body, outcomes[0].error.status], [typed('kept'), 400])
      for (const outcome of outcomes) assert.deepEqual(outcome, outcomes[0])
    }
  })

  it('does not catch what next throws', async () => {
    for (const [text, type] of [['{"a":1}', undefined], ['{"a":', 'entity.parse.failed']]) {
      for (const options of [{}, { rawBody: true }]) {
        const thrown = nextUncaught()
        const types = []
        const seen = await exchange((req, res, next) => json({ ...options, cooperative: SLICED })(req, res, (error) => {
          types.push(error?.type)
          next(error)
          throw new Error('from next')
        }), messageOf({
          headers: { 'Content-Type': TYPE },
          body: text,
          chunked: true,
          pieces: cut(Buffer.from(text), 2)
        }))
        assert.equal((await thrown).message, 'from next')
        assert.deepEqual([types, seen.next], [[type], 1])
      }
    }
  })

  describe('keeps the store of AsyncLocalStorage', () => {
    const storage = createStorage()
    const seen = []
    it('for a value, an error and a primitive, before verify and after it', async () => {
      const look = () => seen.push(storage.getStore())
      for (const text of ['{"a":[1]}', '{"a":[1}', '5']) {
        for (const verify of [look, () => turn().then(look)]) {
          const parser = json({ verify, cooperative: SLICED })
          for (const message of Object.values(everyWay(TYPE, text))) {
            await exchange((req, res, next) => storage.run('this one', () => parser(req, res, (error) => {
              look()
              next(error)
            })), message)
          }
        }
      }
      assert.ok(seen.length > 50)
      assert.deepEqual(new Set(seen), new Set(['this one']))
    })

    it('for each of several bodies that are parsed at the same time', async () => {
      const parser = json({ limit: '2mb', cooperative: { slice: AT_ONCE } })
      const stores = await Promise.all([1, 2, 3].map((number) => storage.run(number, () => new Promise((resolve) => {
        parser(requestOf(cut(large, 100_000)), {}, (error) => resolve([error, storage.getStore()]))
      }))))
      assert.deepEqual(stores, [[undefined, 1], [undefined, 2], [undefined, 3]])
    })
  })

  describe('stops for a client that leaves', () => {
    const ABORTED = { message: 'request aborted', status: 400, type: 'request.aborted', code: 'ECONNABORTED' }
    const broken = Buffer.concat([large, Buffer.from('x')])
    const bodies = {
      'while it is parsed': [large, {}, 'write'],
      'while it is parsed, with rawBody': [large, { rawBody: true }, 'turn'],
      'while the fault is looked for': [broken, {}, 'end'],
      'while a primitive is refused': [Buffer.from(`"${'x'.repeat(1e6)}"`), {}, 'end']
    }

    for (const [what, [body, options, moment]] of Object.entries(bodies)) {
      it(`${what}, over HTTP/1`, () => abort({ body, options, moment, serve: serveHttp1, expected: body.length }))
      it(`${what}, over HTTP/2`, () => abort({ body, options, moment, serve: serveHttp2, expected: null }))
    }

    /** The client leaves at that moment. */
    async function abort ({ body, options, moment, serve, expected }) {
      const outcomes = []
      const parser = json({ limit: '3mb', ...options, cooperative: { slice: AT_ONCE } })
      const steps = spyOnSteps()
      const turns = spyOnTurns()
      const { go, gone, close } = await serve(body, (req, res) => parser(req, res, (error) => {
        outcomes.push({ error, hasBody: 'body' in req, body: req.body })
        res.end()
      }))
      await until({ write: () => steps.length > 0, turn: () => turns.count > 0, end: () => steps.isOver }[moment])
      assert.equal(outcomes.length, 0)
      turns.hold() // until the server has seen it
      go()
      await gone()
      const before = steps.length
      turns.release()
      await until(() => outcomes.length > 0)
      for (let count = 0; count < 20; count++) await turn()
      steps.stop()
      turns.stop()
      await close()
      const [{ error, hasBody, body: parsed }] = outcomes
      assert.equal(outcomes.length, 1)
      assert.deepEqual({ message: error.message, status: error.status, type: error.type, code: error.code }, ABORTED)
      assert.deepEqual([error.received, error.length, error.expected], [body.length, expected, expected])
      assert.deepEqual([hasBody, parsed], [true, undefined])
      assert.equal(steps.length, before)
    }
  })

  it('parses one slice of many bodies in a turn, and answers other requests in between', async () => {
    let count = 0
    let isOn = true
    const tick = () => {
      count++
      if (isOn) setImmediate(tick)
    }
    const steps = spyOnSteps(() => ({ turn: count, answered }))
    const parser = json({ limit: '2mb', cooperative: { slice: AT_ONCE } })
    let answered = 0
    const server = http.createServer((req, res) =>
      parser(req, res, (error) => res.end(error === undefined ? String(req.body.length) : error.type)))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    setImmediate(tick)

    const larges = Promise.all(Array.from({ length: 6 }, () => post(server, large)))
    await until(() => steps.length > 0)
    for (let left = 20; left > 0; left--) {
      assert.equal(await post(server, '[1,2]'), '2')
      answered++
    }
    assert.deepEqual(await larges, Array(6).fill('200001'))
    isOn = false
    steps.stop()
    server.close()
    server.closeAllConnections()

    assert.equal(new Set(steps.map(({ mark }) => mark.turn)).size, steps.length, 'one slice in a turn')
    assert.ok(steps.at(-1).mark.answered > 5, `${steps.at(-1).mark.answered} answers in between`)
    const parsers = new Set(steps.map(({ parser }) => parser))
    const ends = [...parsers].map((parser) => steps.findLastIndex((write) => write.parser === parser))
    const begins = [...parsers].map((parser) => steps.findIndex((write) => write.parser === parser))
    assert.ok(parsers.size >= 6, 'those that take long may have started twice')
    const halfDone = steps.map((_, index) =>
      begins.filter((begin, parser) => begin <= index && ends[parser] > index).length)
    assert.ok(Math.max(...halfDone) >= 4, 'four take turns')
    assert.ok(Math.max(...halfDone) <= 6, 'not all are half done')
  })

  it('stops parsing when its signal is aborted', async () => {
    const parser = parseInSlices({ parse: assert.fail, traceLine: () => null }, { cooperative: SLICED })
    const begin = (signal) => parser.parse([Buffer.from('[1]')], 'utf-8', {}, { req: {}, decoded: 3, signal })
    assert.deepEqual(await begin(new AbortController().signal), [1])
    const controller = new AbortController()
    const pending = assert.rejects(begin(controller.signal), { message: 'gone' })
    controller.abort(new Error('gone'))
    await pending
  })

  it('reports a broken body that is too long for a string without that body', async () => {
    const { decode } = utf8
    const parser = parseInSlices({ parse: assert.fail, traceLine: () => null },
      { cooperative: { threshold: 0 }, strict: false })
    utf8.decode = function * () { // as if the body were so long
      yield `]${' '.repeat(100)}` // all that a message quotes
      for (let i = 0; i < 3; i++) yield ' '.repeat(2 ** 28)
    }
    try {
      await assert.rejects(parser.parse([Buffer.from(']'), Buffer.from(' ')], 'utf-8', {},
        { req: {}, decoded: 2, signal: new AbortController().signal }),
      (error) => {
        assert.deepEqual([error.status, error.type, 'body' in error, error.body],
          [400, 'entity.parse.failed', true, undefined])
        assert.match(error.message, /^Unexpected token '\]'/)
        return true
      })
    } finally {
      utf8.decode = decode
    }
  })

  describe('throws a TypeError', () => {
    const KINDS = 'option cooperative must be true, false, or an object of slice and threshold'
    const SLICE = 'option cooperative.slice must be a positive number of milliseconds'
    const THRESHOLD = /^option cooperative\.threshold ".*" is invalid$/
    for (const [what, message, values] of [
      ['another value', KINDS, [1, 0, '', 'true', Symbol('s'), () => {}, 5n, [], [1], { slices: 1 },
        { slice: 1, threshold: 1, more: 1 }]],
      ['another slice', SLICE, [0, -1, NaN, '1', true, {}, 1n].map((slice) => ({ slice }))],
      ['another threshold', THRESHOLD,
        [NaN, 'much', true, {}, 1n, -1, -Infinity, '-1kb'].map((threshold) => ({ threshold }))]
    ]) {
      it(`for ${what}`, () => {
        for (const cooperative of values) assert.throws(() => json({ cooperative }), { name: 'TypeError', message })
      })
    }

    it('if it is combined with reviver or parse', () => {
      for (const other of ['reviver', 'parse']) {
        for (const cooperative of [true, {}]) {
          assert.throws(() => json({ cooperative, [other]: () => {} }),
            { name: 'TypeError', message: `option ${other} cannot be combined with cooperative` })
        }
        for (const cooperative of [false, null, undefined]) json({ cooperative, [other]: () => {} })
        json({ cooperative: true, [other]: undefined })
      }
    })

    it('for none of the valid values', () => {
      for (const cooperative of [
        true, false, null, undefined, {}, { slice: 0.5 }, { slice: Infinity }, { slice: null, threshold: undefined },
        { threshold: 0 }, { threshold: '1.5mb' }, { threshold: Infinity }
      ]) {
        json({ cooperative })
      }
    })
  })
})

/** A request without a connection. */
function requestOf (chunks, headers = {}) {
  return Object.assign(Readable.from(chunks), {
    headers: { 'content-type': TYPE, 'transfer-encoding': 'chunked', ...headers }
  })
}

/** The parsed body, or the error's message and text. */
async function parseInChunks (parser, bytes, size) {
  const req = requestOf(cut(bytes, size))
  const error = await new Promise((resolve) => parser(req, {}, resolve))
  return error === undefined ? { body: req.body } : { message: error.message, text: error.body }
}

function cut (bytes, size) {
  const pieces = []
  for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size))
  return pieces
}

/** Like `exchange`, for bodies that are too large to be compared in each lane. */
async function receive (parser, message) {
  const seen = { calls: 0 }
  const steps = spyOnSteps()
  await exchange((req, res, next) => parser(req, res, (error) => {
    seen.calls++
    Object.assign(seen, { error, body: req.body })
    req.body = undefined
    next()
  }), message)
  steps.stop()
  return { ...seen, steps: steps.length }
}

/** Counts turns; between `hold` and `release`, there are none. */
function spyOnTurns () {
  const wait = Task.prototype.pause
  let gate = null
  let open
  const spy = {
    count: 0,
    hold () { gate = new Promise((resolve) => { open = resolve }) },
    release () { open() },
    stop () { Task.prototype.pause = wait }
  }
  Task.prototype.pause = async function () {
    await gate
    await wait.call(this)
    spy.count++
  }
  return spy
}

async function until (isSo) {
  for (let left = 100_000; !isSo(); left--) {
    assert.ok(left > 0, 'the condition never came true')
    await turn()
  }
}

async function serveHttp1 (body, handle) {
  let socket
  const server = http.createServer((req, res) => {
    socket = req.socket
    handle(req, res)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = http.request({
    port: server.address().port,
    host: '127.0.0.1',
    method: 'POST',
    headers: { 'Content-Type': TYPE, 'Content-Length': body.length }
  })
  client.on('error', () => {})
  client.end(body)
  return {
    go: () => client.destroy(),
    gone: () => until(() => socket.destroyed),
    async close () {
      server.close()
      server.closeAllConnections()
    }
  }
}

async function serveHttp2 (body, handle) {
  let request
  const server = http2.createServer((req, res) => {
    request = req
    handle(req, res)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const session = http2.connect(`http://127.0.0.1:${server.address().port}`)
  const stream = session.request({ ':method': 'POST', 'content-type': TYPE })
  stream.on('error', () => {})
  stream.end(body)
  return {
    go: () => stream.close(http2.constants.NGHTTP2_CANCEL),
    gone: () => until(() => request.stream.destroyed || request.stream.aborted),
    async close () {
      session.destroy()
      server.close()
      await delay(0)
    }
  }
}

async function post (server, body) {
  const req = http.request({
    port: server.address().port,
    host: '127.0.0.1',
    method: 'POST',
    headers: { 'Content-Type': TYPE },
    agent: false
  })
  req.end(body)
  const [res] = await once(req, 'response')
  return String(Buffer.concat(await res.toArray()))
}
