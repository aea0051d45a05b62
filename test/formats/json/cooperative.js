'use strict'

// Large bodies parsed in slices. The outcome must be that without the option, and
// with body-parser.

const assert = require('node:assert/strict')
const { setImmediate: turn } = require('node:timers/promises')
const { inspect } = require('node:util')
const zlib = require('node:zlib')
const oracle = require('body-parser')
const parseInSlices = require('../../../lib/formats/json/cooperative')
const utf8 = require('../../../lib/json-slices/utf8')
const Task = require('../../../lib/json-slices/scheduler')
const LocalServer = require('../../../tools/local-server')
const Talk = require('../../../tools/talk')
const exchange = require('../../support/exchange')
const { waysInTurn } = require('../../support/lane')
const { messageOf } = require('../../support/lanes')
const useReplacements = require('../../support/replace')
const { PIECE_SIZE, SHORTEST_SLICE, spyOnSteps } = require('../../support/slices')
const until = require('../../support/until')
const subject = require('fast-body-parser')

const { json } = subject
const TYPE = 'application/json'
const SLICED = { slice: SHORTEST_SLICE, threshold: 0 }

/** The outcome, without what depends on zlib's thread. */
function visible ({ complete, ended, listeners, immediate, ...seen }, hasStack = true) {
  if (!hasStack) delete seen.error.title
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
 * However the body arrives, the outcome is that without the option, and that of body-parser if its options are known
 * there. Errors of secure-json-parse have no stack.
 */
async function agrees (body, options = {}, {
  type = TYPE, isSliced = true, isKnown = true, hasStack, ways = Infinity
} = {}) {
  const [sliced, atOnce] = [{ ...options, cooperative: SLICED }, options].map(json)
  for (const [index, [way, message]] of waysInTurn(type, body).slice(0, ways).entries()) {
    const { seen, steps } = await send(sliced, message)
    assert.deepEqual([seen.hangs, seen.next, seen.listeners], [undefined, 1, []], way)
    assert.equal(steps > 0, isSliced, `${steps} slices, ${way}`)
    const expected = visible(await exchange(atOnce, message), hasStack)
    assert.deepEqual(visible(seen, hasStack), expected, way)
    if (index > 0 || !isKnown) continue
    assert.deepEqual(visible(await exchange(oracle.json(options), message), hasStack), expected)
  }
}

const large = Buffer.from(`[${'"value",'.repeat(50_000)}1]`)

const ONCE = { isSliced: false }
const OWN = { isKnown: false }
const OWN_ONCE = { isSliced: false, isKnown: false }
const blanks = ' \n'.repeat(PIECE_SIZE * 0.6)

/** What the rows are about -> bodies; options, and more of `agrees`. */
const ROWS = {
  'a value': [['["tobi", 1, null, true]', ' \t\r\n {"a":1} \n', '{"name":"論 € é 😀","list":["\\ud800",[-0,1e999]]}']],
  'a primitive with strict: false': [
    ['1', 'null', ' 5 ', '"é😀\\n"', '\ufeff "a"'], { strict: false }
  ],
  'invalid UTF-8': [
    ['7b2261223a5b22ff22c35d7d', '5b22ff22c328e28228f09f98225d'].map((hex) => Buffer.from(hex, 'hex'))
  ],
  ...Object.fromEntries([true, false].map((strict) => [`a broken body with strict: ${strict}`, [[
    '{', '{"a":1}}', '["\n"]', '[[1],,2]', '😀', '\u00a0{}', '#', '  \n', `[${'1,'.repeat(60)}x]`
  ], { strict }]])),
  'a primitive': [[
    'null', '  false', '"# and # again"', `"${'long '.repeat(30)}"`, `${' \n'.repeat(100)}"text"`,
    `${' '.repeat(60)}1`, '1 x', `"${'long '.repeat(30)}" x`, '\n\n   tru'
  ]],
  'a large primitive, or one behind much white space': [[
    `"${'text'.repeat(PIECE_SIZE / 3)}"`, `${blanks}"${'text'.repeat(20)}"`, `${blanks}x`,
    `${blanks.slice(0, -60)}"text"`
  ], { limit: '1mb' }],
  'a byte order mark, which is removed once': [['\ufeff{"a":1}', '\ufeff{"a":1', '\ufeff\ufeff{}']],
  'two byte order marks with onProtoPoisoning': [['\ufeff\ufeff{}'], { onProtoPoisoning: 'error' }, OWN],
  'a byte order mark alone': [['\ufeff'], {}, ONCE],
  'a byte order mark alone with empty': [['\ufeff'], { empty: undefined }, OWN_ONCE],
  'a byte order mark in part': [[Buffer.from([0xEF, 0x7B, 0x7D]), Buffer.from([0xEF, 0xBB, 0x7B, 0x7D])]],
  'no bytes': [[''], {}, ONCE],
  'another charset': [
    ['{"a":["é"]}', '{"a":', '5'].map((text) => Buffer.from(text, 'utf16le')), {},
    { ...ONCE, type: `${TYPE}; charset=utf-16le` }
  ],
  'a fault behind verify': [['{"a":[1,]}', '5', '[[', ' '], { verify () {} }],
  'a fault behind rawBody': [['{"a":[1,]}', '5', '[[', ' '], { rawBody: true }, OWN],
  'a body over the limit': [['["xy"]'], { limit: 5 }, ONCE],
  ...Object.fromEntries([0, 2].map((depth) => [`depth: ${depth}`, [
    ['{"a":[1,"]"]}', '[{"a":{}},[]]', '"[["', '[1,]', `${'['.repeat(60)}${']'.repeat(60)}`],
    { depth, strict: depth > 0 }, OWN
  ]])),
  ...Object.fromEntries([
    { onProtoPoisoning: 'error' }, { onProtoPoisoning: 'remove', onConstructorPoisoning: 'error' },
    { onConstructorPoisoning: 'remove' }
  ].map((options) => [`poisoned keys: ${inspect(options)}`, [
    ['[{"a":[{"__proto__":[],"b":2}]}]', '{"constructor":{"b":[],"prototype":1},"c":2}', '[1,]', '5'],
    options, { ...OWN, hasStack: false }
  ]]))
}

describe('option cooperative', () => {
  const replace = useReplacements()

  for (const [what, [bodies, options, more]] of Object.entries(ROWS)) {
    describe(`has the outcome that there is without it, for ${what}:`, () => {
      for (const [index, body] of bodies.entries()) {
        const ways = index === 0 ? Infinity : 2
        it(inspect(String(body).slice(0, 40)), () => agrees(body, options, { ...more, ways }))
      }
    })
  }

  describe('threshold', () => {
    // [bytes, options of cooperative, whether they are parsed in slices]
    const rows = [
      [64, { threshold: 64 }, false], [64, { threshold: '63b' }, true],
      [262_144, true, false], [262_145, true, true], [262_145, { slice: 1, threshold: null }, true]
    ]
    for (const [size, cooperative, isSliced] of rows) {
      it(`parses ${size} bytes ${isSliced ? 'in slices' : 'in one call'} with ${inspect(cooperative)}`, async () => {
        const body = `["${'x'.repeat(size - 4)}"]`
        for (const [coding, bytes] of [['identity', body], ['gzip', zlib.gzipSync(body)]]) {
          const headers = { 'Content-Type': TYPE, 'Content-Encoding': coding }
          const { seen, steps } = await send(json({ limit: '1mb', cooperative }), messageOf({ headers, body: bytes }))
          assert.deepEqual([seen.error, steps > 0], ['none', isSliced], coding)
        }
      })
    }
  })

  it('shows verify and rawBody the bytes as one Buffer', async () => {
    const body = '{"a":["é",{"b":1}]}'
    const bytes = Buffer.from(body)
    for (const [way, message] of waysInTurn(TYPE, body)) {
      const shown = []
      const verifying = json({ verify: (req, res, bytes) => { shown.push(bytes) }, cooperative: SLICED })
      const keeping = json({ rawBody: true, cooperative: SLICED })
      const { steps } = await send(verifying, message)
      await send((req, res, next) => keeping(req, res, (error) => { shown.push(req.rawBody); next(error) }), message)
      assert.deepEqual([steps > 0, ...shown], [true, bytes, bytes], way)
    }
  })

  it('parses bodies that were read before, with buffered', async () => {
    for (const [body, isSliced] of [[Buffer.from('{"a":"é"}'), true], ['{"a":"é"}', true], ['', false]]) {
      const steps = spyOnSteps()
      const req = { headers: { 'content-type': TYPE }, body }
      const value = await json({ buffered: true, cooperative: SLICED }).read(req, {})
      steps.stop()
      assert.deepEqual([value, steps.length > 0], [isSliced ? { a: 'é' } : {}, isSliced])
    }
  })

  it('finds the fault of a broken body in slices as well', async () => {
    const pieces = 10
    // A pass each: to parse, to explain, to quote, and to refuse the first token.
    for (const [text, passes] of [
      [`${' '.repeat(pieces * PIECE_SIZE - 1)}5`, 2],
      [`${' '.repeat(pieces * PIECE_SIZE - 1)}]`, 3]
    ]) {
      const turns = spyOnTurns()
      const { seen } = await send(json({ limit: '2mb', cooperative: { slice: SHORTEST_SLICE } }),
        messageOf({ headers: { 'Content-Type': TYPE }, body: text }))
      turns.stop()
      assert.equal(seen.error.type, 'entity.parse.failed')
      assert.ok(turns.count >= passes * pieces - passes, `${turns.count} slices`)
    }
  })

  describe('stops for a client that leaves', () => {
    const ABORTED = { message: 'request aborted', status: 400, type: 'request.aborted', code: 'ECONNABORTED' }
    const broken = Buffer.concat([large, Buffer.from('x')])
    const primitive = Buffer.from(`"${'x'.repeat(4e5)}"`)
    // [when, how, the body, options]
    const rows = [
      ['while it is parsed', 'write', large, {}],
      ['while it is parsed, with rawBody', 'turn', large, { rawBody: true }],
      ['while the fault is looked for', 'end', broken, {}],
      ['while a primitive is refused', 'end', primitive, {}]
    ]
    for (const [what, moment, body, options] of rows) it(what, () => abort(body, options, moment))

    /** The client leaves at that moment. */
    async function abort (body, options, moment) {
      const outcomes = []
      const parser = json({ limit: '3mb', ...options, cooperative: { slice: SHORTEST_SLICE } })
      const steps = spyOnSteps()
      const turns = spyOnTurns()
      const server = await LocalServer.open((req, res) => parser(req, res, (error) => {
        outcomes.push({ error, hasBody: 'body' in req, body: req.body })
        res.end()
      }))
      const talk = await Talk.open(server)
      talk.send(messageOf({ headers: { 'Content-Type': TYPE }, body }))
      await until({ write: () => steps.length > 0, turn: () => turns.count > 0, end: () => steps.isOver }[moment])
      assert.equal(outcomes.length, 0)
      turns.hold() // until the server has seen it
      talk.close()
      await until(() => talk.peer.destroyed)
      const before = steps.length
      turns.release()
      await until(() => outcomes.length > 0)
      for (let count = 0; count < 20; count++) await turn()
      steps.stop()
      turns.stop()
      server.close()
      const [{ error, hasBody, body: parsed }] = outcomes
      assert.equal(outcomes.length, 1)
      assert.deepEqual({ message: error.message, status: error.status, type: error.type, code: error.code }, ABORTED)
      assert.deepEqual([error.received, error.length, error.expected], Array(3).fill(body.length))
      assert.deepEqual([hasBody, parsed], [true, undefined])
      assert.equal(steps.length, before)
    }
  })

  it('answers other requests while it parses large bodies', async () => {
    const parser = json({ limit: '2mb', cooperative: { slice: SHORTEST_SLICE } })
    let answered = 0
    const steps = spyOnSteps(() => answered)
    const server = await LocalServer.open((req, res) =>
      parser(req, res, (error) => res.end(error === undefined ? String(req.body.length) : error.type)))
    const larger = `[${'"value",'.repeat(60_000)}1]`
    const larges = Promise.all([post(server, larger), post(server, larger)])
    await until(() => steps.length > 0)
    for (let left = 5; left > 0; left--) {
      assert.equal(await post(server, '[1,2]'), '2')
      answered++
    }
    assert.deepEqual(await larges, ['60001', '60001'])
    steps.stop()
    server.close()
    assert.ok(steps.at(-1).mark > 0, 'some are answered between two steps')
  })

  it('reports a broken body that is too long for a string without that body', async () => {
    const parser = parseInSlices({ parse: assert.fail, traceLine: () => null },
      { cooperative: { threshold: 0 }, strict: false })
    replace(utf8, 'decode', function * () { // as if the body were so long
      yield `]${' '.repeat(100)}` // all that a message quotes
      for (let i = 0; i < 3; i++) yield ' '.repeat(2 ** 28)
    })
    const more = { req: {}, decoded: 2, signal: new AbortController().signal }
    const error = await parser.parse([Buffer.from(']'), Buffer.from(' ')], 'utf-8', {}, more).catch((error) => error)
    assert.deepEqual([error.status, error.type, 'body' in error, error.body],
      [400, 'entity.parse.failed', true, undefined])
    assert.match(error.message, /^Unexpected token '\]'/)
  })

  describe('throws a TypeError', () => {
    const kind = 'option cooperative must be true, false, or an object of slice and threshold'
    const slice = 'option cooperative.slice must be a positive number of milliseconds'
    const threshold = /^option cooperative\.threshold ".*" is invalid$/
    for (const [cooperative, message] of [
      ...[1, '', () => {}, [], { slices: 1 }, { slice: 1, threshold: 1, more: 1 }].map((value) => [value, kind]),
      ...[0, NaN, '1', true].map((value) => [{ slice: value }, slice]),
      ...[NaN, 'much', true, -1, '-1kb'].map((value) => [{ threshold: value }, threshold])
    ]) {
      it(`for ${inspect(cooperative)}`, () =>
        assert.throws(() => json({ cooperative }), { name: 'TypeError', message }))
    }

    it('for none of the valid values', () => {
      for (const cooperative of [
        true, false, null, undefined, {}, { slice: null, threshold: undefined }, { slice: Infinity, threshold: 0 },
        { threshold: '1.5mb' }
      ]) {
        json({ cooperative })
      }
    })
  })
})

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

async function post (server, body) {
  const res = await fetch(`http://127.0.0.1:${server.port}`, { method: 'POST', headers: { 'content-type': TYPE }, body })
  return res.text()
}
