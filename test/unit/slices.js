'use strict'

const assert = require('node:assert/strict')
const { execFileSync } = require('node:child_process')
const path = require('node:path')
const fc = require('fast-check')
const parseInSlices = require('fast-body-parser/json-slices')
const secure = require('secure-json-parse')
const { mayMistake, mistakesNames } = require('../support/engine')
const isSame = require('../support/same')
const Chunks = require('../../lib/slices/chunks')
const parse = require('../../lib/slices/parse')
const SliceParser = require('../../lib/slices/parser')
const TextChunks = require('../../lib/slices/text-chunks')

const ROOT = path.join(__dirname, '../..')
const RUNS = Number(process.env.FUZZ_RUNS) || 1000
const PIECE = 32 * 1024
const LONG = 64 * 1024
const AT_ONCE = 1e-9 // ms: each piece is a slice
const NO_TURNS = { shouldYield: () => false }

/** Cuts bytes into chunks of that size. */
function inChunks (source, size) {
  const bytes = Buffer.from(source)
  const chunks = []
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size))
  return chunks
}

function feed (parser, chunk) {
  parser.append(chunk, 0, chunk.length)
  while (!parser.step());
}

function outcomeOf (act) {
  try {
    return { value: act() }
  } catch (error) {
    return { error }
  }
}

/** Without turns, which only take time. */
async function outcomeInSlices (source, size, options) {
  try {
    return { value: await parse(new Chunks(inChunks(source, size)), NO_TURNS, options) }
  } catch (error) {
    return { error }
  }
}

function assertAgree (ours, theirs, what) {
  if (theirs.error === undefined) {
    if (ours.error !== undefined) throw ours.error
    assert.ok(isSame(ours.value, theirs.value), `${what}: ${JSON.stringify(ours.value)?.slice(0, 500)}`)
  } else {
    assert.ok('error' in ours, `${what}: parsed`)
    assert.equal(ours.error.constructor, SyntaxError, what)
    assert.equal(ours.error.message, theirs.error.message, what)
    assert.deepEqual(Object.getOwnPropertyNames(ours.error).filter((name) => !['stack', 'message', 'line', 'column', 'sourceURL'].includes(name)), [], what)
  }
}

/** In chunks of each of these sizes, it is what JSON.parse makes of it. */
async function assertSame (source, sizes, options) {
  const theirs = outcomeOf(() => JSON.parse(String(source)))
  for (const size of sizes) {
    assertAgree(await outcomeInSlices(source, size, options), theirs, `in chunks of ${size}, ${JSON.stringify(options)}`)
  }
}

const upTo = (length) => Array.from({ length }, (_, index) => index + 1)

const VALID = [
  '0', '-0', '1.5e-7', '[-0]', 'true', 'null', '""', '"é日本😀"', ' \n\r\t1 \n\r\t', '[]', '{}', ' [ ] ', ' { } ', '[[]]', '[{}]', '{"a":{}}', '{"a":[]}',
  '[1,2,3]', '[1,[2],3,[4,[5]],[],6]', '[[],[],[]]', '[[1],[2],[3]]', '[[1],2,[3]]', '[1,[2],[3],4]', '[\n[\n1\n]\n,\n[\n2\n]\n]', '["a","b",["c"],"d"]',
  '{"a":1,"b":[2,{"c":3}],"d":{"e":{"f":null}}}', '{"a":[1],"b":2,"c":[3]}', ' { "a" : [ 1 , { "b" : 2 } ] , "c" : { } } ', '{"":[""]}', '{"é":{"日本":{"😀":[]}}}',
  '["\\"",["\\\\"],"\\\\\\"","\\u0041\\ud83d\\ude00\\n\\/"]', '["\\ud83d",["\\ude00\\ud83d"]]', '["]","[",["{","}"],",",":"]', '{"]":"[",",":{"}":":"}}', '{"\\"x":{"x\\\\":{"\\u0061\\n":[1]}}}',
  '[1e999,-1e999,5e-324,123456789012345678901]', '["\u2028\u2029\u007f\ufeff"]'
]

const KEYS = [
  '{"__proto__":1}', '{"__proto__":{"a":1}}', '{"a":{},"__proto__":{"b":1},"c":[]}', '{"__proto__":[],"__proto__":{}}', '{"\\u005f_proto__":{"a":[]}}',
  '{"b":[1],"2":[2],"a":[3],"1":[4],"-1":[5],"01":[6],"4294967294":[7],"4294967295":[8],"1.5":[9]}', '{"b":1,"2":1,"a":[],"1":1}', '{"9":{"8":{"7":{}}},"1":{}}',
  '{"a":1,"b":2,"a":3}', '{"a":[1],"b":[2],"a":[3]}', '{"a":{"x":1},"b":1,"a":{"y":1}}', '{"1":[],"1":1,"1":{}}', '{"a":1,"\\u0061":[2],"b":3}',
  '{"constructor":{"prototype":{}},"toString":[1],"valueOf":{},"hasOwnProperty":1}', '{"__defineGetter__":{},"__lookupSetter__":[]}', '{"x\\ud800":{"\\udc00\\udc00":[1]}}', '{"\\u0000x":{"\u007f":{}}}',
  '{" a ":{"\\t\\t":{}}}', '{"a\\"b":{"c\\\\":{"\\\\\\"":[]}}}', '{"":{"":{"":[]}}}', '{"a" \n : \r [ 1 ] , \t "b" : { } }'
]

const BROKEN = [
  '', ' ', '\n', 'x', '-', '1 2', '[', '{', ']', '}', '"', '[1', '[1,', '[1,]', '[,1]', '[,]', '[1,,2]', '[1 2]', '[1}', '{]', '[[]', '[]]', '{}}', '[]{}', '[][]', '{}[]', '{},', '[],[]', '1,2', ',', ':',
  '{"a"', '{"a":', '{"a":}', '{"a":1', '{"a":1,', '{"a":1,}', '{"a":1 "b":2}', '{"a" 1}', '{"a":1,,"b":2}', '{,}', '{a:1}', '{1:1}', '{"a":1]', '{"a":[1}', '{:1}', '{[]:1}', '{{}:1}', '{"a"[]}', '{"a"::[]}', '{"a":1:[]}', '{"a":b[]}',
  '[[1] 2]', '[[1] [2]]', '[[1],]', '[[1],,[2]]', '[[1]x]', '[[1]"a"]', '[{} {}]', '[1[2]]', '["a"[2]]', '["a""b"]', '["a"b]', '[x[1]]', '[1 [2]]', '[[[1]],2', '{"a":[1] "b":2}', '{"a":{} {}}', '{"a":{},{}}', '{"a":[],[]}', '{"a":[1],}', '{"a":{},"b"}', '{"a":{}x}', '{[', '{{', '{"a":{"b":[1}}', '{"a":[1}}',
  '["\n"]', '["\u0001"]', '["\\x"]', '["\\u12"]', '["\\u12g4"]', '["\\', '["\\"]', '["\\\\\\"]', '"a"b', '"a""b"', '"\\ud83d', '["a\\q",[1]]', '{"\\x":[1]}', '{"\n":[]}', '{"a\\u":{}}',
  'tru', '[truex]', '[nul]', '[+1]', '[01]', '[.5]', '[1.]', '[1e]', '[--1]', '[NaN]', "['a']", '[1]//', '/**/[1]', '\u00a0[]', '\ufeff[]', '[\u2028]', '\0', '[\0]', '[1]\0', '😀', '[é]', '[1,é]'
]

describe('json-slices', () => {
  describe('makes what JSON.parse makes, in chunks of every size', () => {
    for (const text of [...VALID, ...KEYS]) {
      it(`of ${text.slice(0, 60)}`, async () => {
        for (const long of [1, 2, 5, undefined]) await assertSame(text, upTo(Buffer.byteLength(text)), { longStringLength: long })
      })
    }

    it('of any JSON', () => fc.assert(fc.asyncProperty(fc.json({ maxDepth: 6 }), fc.nat(40), fc.integer({ min: 1, max: 30 }), async (text, size, long) => {
      fc.pre(!mistakesNames() || !mayMistake(text))
      await assertSame(text, [size + 1], { longStringLength: long })
    }), { numRuns: RUNS }))

    it('of any value, with blanks', () => fc.assert(fc.asyncProperty(fc.jsonValue({ maxDepth: 8 }), fc.constantFrom(undefined, 1, '\t', '\r\n'), fc.nat(12), async (value, indent, size) => {
      const text = JSON.stringify(value, null, indent)
      fc.pre(!mistakesNames() || !mayMistake(text))
      await assertSame(text, [size + 1])
    }), { numRuns: RUNS }))

    it('of any bytes that are much like JSON', () => {
      const part = fc.constantFrom('"', '\\', '[', ']', '{', '}', ',', ':', '1', '-', 'null', '"a":', '"a"', '[]', '{}', ' ', '\n', '\\u', 'é', '😀', '\x80', '\xff', '\xc3', '\xf0\x9f')
      const bytes = fc.array(part, { maxLength: 40 }).map((parts) => Buffer.concat(parts.map((text) => Buffer.from(text, /[\x80-\xff]/.test(text) && text !== 'é' ? 'latin1' : 'utf8'))))
      return fc.assert(fc.asyncProperty(bytes, fc.nat(12), fc.integer({ min: 1, max: 10 }), (bytes, size, long) => assertSame(bytes, [size + 1], { longStringLength: long })), { numRuns: 4 * RUNS })
    })
  })

  describe('fails as JSON.parse fails, in chunks of every size', () => {
    const filler = (count) => Array.from({ length: count }, (_, index) => `[${index},"${'é'.repeat(index % 4)}"]`).join()
    const before = { nothing: '', 'an array': `[${filler(12)},`, 'a line': `[${filler(12)},\n`, 'lines of all kinds': `[\n1,\r\n2,\r3,\n\r4,\r\r\n5,${filler(9)},\r\n`, 'a property': `{"a":[${filler(12)}],"b":`, blanks: ' \n'.repeat(60) }

    for (const [what, start] of Object.entries(before)) {
      it(`after ${what}`, async () => {
        for (const text of BROKEN.map((end) => start + end).filter((text) => outcomeOf(() => JSON.parse(text)).error !== undefined)) {
          const { length } = Buffer.from(text)
          await assertSame(text, [...upTo(Math.min(length, 14)), length - 2, length - 1, length].filter((size) => size > 0), { longStringLength: 3 })
        }
      })
    }

    it('anywhere in a text', async () => {
      const text = `{"list":[${filler(30)}],\n"text":"${'long \\n é'.repeat(20)}",\r\n"map":{"a":{"b":{}},"c":[[],[[]]]}}`
      for (let at = 0; at < text.length; at++) {
        const size = 1 + at % 70
        await assertSame(text.slice(0, at), [size])
        for (const junk of ['x', '"', ',', ']', '}', '\\', '\n', '\0']) await assertSame(text.slice(0, at) + junk + text.slice(at), [size], { longStringLength: 1 + at % 30 })
        await assertSame(text.slice(0, at) + text.slice(at + 1), [size], { longStringLength: 1 + at % 30 })
      }
    })

    it('where its own pieces end', async function () {
      this.timeout(60_000) // with mutants in the code, it takes some seconds
      const item = '"é\\n",\n[1,{"a":2}],'
      const start = `[${item.repeat(Math.ceil(PIECE / Buffer.byteLength(item)) + 5)}`
      const bytes = Buffer.from(start)
      for (let at = PIECE - 40; at < PIECE + 40; at++) {
        const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)]
        if (String(head).endsWith('\ufffd')) continue
        for (const junk of ['x', '}', '"\\q', '\n\0']) await assertSame(Buffer.concat([head, Buffer.from(junk), tail]), [bytes.length])
        await assertSame(head, [bytes.length])
      }
    })

    it('with line and column, as engines tell them since V8 11.4', async () => {
      const { parse } = JSON
      const hasLines = outcomeOf(() => parse('[')).error.message.includes('(line 1 column 2)')
      if (!hasLines) JSON.parse = (text) => withLine(parse, text)
      try {
        const lines = `[1,${'"é",\n[],\r\n{},\r3,\n\r4,\r\r\n'.repeat(12)}`
        for (const start of [lines, `[${'1,'.repeat(50)}`, '\n \r\n'.repeat(40), `["${'日'.repeat(40)}",\n`]) {
          for (const end of ['[}', '\n{"a" 1}', '\r\n1 2', '\r"\n"', '\r\n"\\x"', '1\n]\n1', '"', '\n']) {
            const text = start + end
            assert.match(outcomeOf(() => JSON.parse(text)).error.message, /at position \d+ \(line \d+ column \d+\)$|^Unexpected (end|token)/)
            await assertSame(text, [...upTo(9), 40, 70, text.length], { longStringLength: 9 })
          }
        }
      } finally {
        JSON.parse = parse
      }
    })

    it('with whatever is quoted', async () => {
      for (const quoted of ['$& $1 $$', '\uffff\ufffe', '..."', '"","', ',,,,', '          ', '\u2028\u2029', '😀😀😀', '\ufffd']) {
        for (let count = 0; count < 14; count++) {
          await assertSame(`[${filler(12)},${JSON.stringify(quoted)}${' '.repeat(count)}x ${quoted}`, [1, 3, 7, 100])
          await assertSame(`${' '.repeat(70)}${' '.repeat(count)}x${quoted}`, [1, 3, 7, 100])
        }
      }
    })
  })

  describe('of a text', () => {
    const parsed = (text) => parseInSlices(text).then((value) => ({ value }), (error) => ({ error }))
    const sameText = async (text) => assertAgree(await parsed(text), outcomeOf(() => JSON.parse(text)), JSON.stringify(text).slice(-50))

    it('may be short or long', async () => {
      for (const text of ['1', '[]', `["${'é😀'.repeat(PIECE)}"]`, `[${'"日",'.repeat(PIECE)}1]`, '', '[', '\ufeff[]', `[${'1,'.repeat(PIECE)}]`]) await sameText(text)
    })

    it('becomes UTF-8 a piece at a time', () => {
      for (const [character, size] of [['a', 1], ['é', 2], ['日', 3], ['😀', 2], ['\ud800', 6]]) {
        const text = character.repeat(3 * PIECE)
        const chunks = [...new TextChunks(text)]
        assert.equal(chunks.length, 3 * character.length)
        assert.ok(chunks.every(({ length }) => length <= size * (PIECE + 1)))
        if (text.isWellFormed()) assert.equal(String(Buffer.concat(chunks)), text)
      }
    })

    it('may have lone surrogates', async () => {
      for (const text of ['"\ud800"', '"\udc00"', '"\udc00\ud800"', '"\ud83d\ud83d\ude00\ude00"', '{"\ud800":["\udc00"]}', '"\\\\\ud800"', '"\\\\\\\\\udc00"', '"!\ud800!"']) await sameText(text)
    })

    it('may be broken by them, or beside them', async () => {
      for (const text of ['\ud800', '[\udc00]', '"\\\ud800"', '"\\\\\\\udc00"', '["\ud800" x', '["\ud800","!\\\udc00"]', `["\ud800",${'1,'.repeat(60)}x]`, `["\ud83d${'é!😀\udc00'.repeat(30)}"\n,x]`, `["${'\udc00'.repeat(80)}`]) await sameText(text)
    })

    it('may have them where it is cut', async () => {
      for (const end of ['\ud83d\ude00', '\\\ud800', '\\\\\ud800', '\\\\\\\udc00', '\ud800\ud800', '\udc00\udc00', '\\ud800\udc00', '\\\ud83d\ude00']) {
        for (let before = 0; before < 10; before++) {
          await sameText(`"${'a'.repeat(PIECE - before)}${end}"`)
          await sameText(`"${'\\'.repeat(2 * PIECE - before)}${end}"`)
          await sameText(`"${'a'.repeat(PIECE - before)}${end}"x`)
        }
      }
    })

    it('of any characters is as for JSON.parse', () => {
      const unit = fc.constantFrom('"', '"', '\\', '\\', 'a', '!', '\ud800', '\udc00', '\ud83d\ude00', 'é', ',', '[', ']', 'u')
      return fc.assert(fc.asyncProperty(fc.array(unit, { maxLength: 12 }), fc.nat(12), fc.boolean(), async (units, before, isLong) => {
        await sameText(`["${isLong ? 'é'.repeat(PIECE - before) : ''}${units.join('')}"]`)
      }), { numRuns: RUNS / 2 })
    })
  })

  describe('of bytes', () => {
    const bytes = Buffer.from('xx{"a":["é"]}xx').subarray(2, -2)

    it('may come in whatever holds them', async () => {
      function * generate () { yield * inChunks(bytes, 5) }
      const sources = [bytes, new Uint8Array(bytes), Uint8Array.from(bytes).subarray(0), [bytes], inChunks(bytes, 1), inChunks(bytes, 3).map((chunk) => new Uint8Array(chunk)), new Set(inChunks(bytes, 4)), generate(), [Buffer.alloc(0), ...inChunks(bytes, 2), new Uint8Array(0)]]
      for (const source of sources) assert.deepEqual(await parseInSlices(source), { a: ['é'] })
    })

    it('may be none', async () => {
      for (const source of [Buffer.alloc(0), [], [Buffer.alloc(0)], Buffer.from('\ufeff')]) {
        await assert.rejects(parseInSlices(source), { name: 'SyntaxError', message: outcomeOf(() => JSON.parse('')).error.message })
      }
    })

    it('may begin with a byte order mark, but with one only', async () => {
      for (const size of upTo(8)) {
        assert.deepEqual(await parseInSlices(inChunks('\ufeff[1]', size)), [1])
        const { error } = outcomeOf(() => JSON.parse('\ufeff[1]'))
        await assert.rejects(parseInSlices(inChunks('\ufeff\ufeff[1]', size)), { name: 'SyntaxError', message: error.message })
        await assert.rejects(parseInSlices(inChunks('\ufeff\ufeff[1]', size), { onProtoPoisoning: 'error' }), { name: 'SyntaxError', message: error.message })
      }
    })

    it('that are no UTF-8 are as they are in a text', async () => {
      for (const hex of ['ff', 'c3', 'c328', 'e28228', 'f09f98', 'f09f9880', 'eda080', 'c0af', 'f4908080', '80808080', 'f880808080', 'e2', 'f0', 'f09f', 'f8']) {
        const source = Buffer.concat([Buffer.from('["a'), Buffer.from(hex, 'hex'), Buffer.from('b"]')])
        for (const long of [1, 3, undefined]) await assertSame(source, upTo(source.length), { longStringLength: long })
        await assertSame(source.subarray(0, -2), upTo(source.length))
        await assertSame(source.subarray(2), upTo(source.length))
      }
    })
  })

  describe('strings that are long', () => {
    const contents = { plain: 'a', 'of two bytes': 'é', 'of three bytes': '日', 'of four bytes': '😀', escapes: '\\n\\u00e9\\\\', pairs: '\\ud83d\\ude00', 'escaped quotes': '\\"', backslashes: '\\\\', 'all of these': 'a\\"é\\\\日\\u0041😀\\ud83d' }
    for (const [what, content] of Object.entries(contents)) {
      it(`are taken apart: ${what}`, async () => {
        for (const size of [LONG - 1, LONG, LONG + 1, 3 * LONG]) {
          const text = content.repeat(Math.ceil(size / Buffer.byteLength(content)))
          for (const around of [['', ''], ['[1,', ',2]'], ['{"a":{"b":', '},"c":1}'], ['[', ',']]) {
            await assertSame(`${around[0]}"${text}"${around[1]}`, [PIECE, PIECE - 1, 10_007])
          }
          await assertSame(`{"a":1,"${text}":{"b":1}}`, [PIECE])
        }
      })
    }

    const faults = ['\n', '\\x', '\\u12', '\\', '\\"', '', '\0']
    it('may have a fault anywhere', async () => {
      for (const fault of faults) {
        for (const place of [0, 100, PIECE - 2, PIECE, LONG, 2 * LONG, 3 * LONG]) {
          const text = `{"a":"${'b'.repeat(place)}${fault}${'é'.repeat((3 * LONG - place) / 2)}`
          await assertSame(text, [PIECE])
          await assertSame(`${text}"]`, [PIECE])
          await assertSame(`[${text}"`, [PIECE])
        }
      }
    })

    it('may be where none is allowed', async () => {
      const long = 'x'.repeat(3 * LONG)
      for (const text of [`[1 "${long}"]`, `[[1]"${long}"]`, `[[1] "${long}`, `{"a":[1] "${long}":1}`, `{"a" "${long}"}`, `{"a":1"${long}"}`, `{"a":[]"${long}"}`, `1"${long}"`, `[]"${long}"`, `"${long}""${long}"`, `["${long}" "${long}"]`, `["${long}"1]`, `{"a":"${long}" "b":1}`]) {
        await assertSame(text, [PIECE])
      }
    })

    it('are not taken apart if they are shorter, or keys', () => {
      const partsOf = (start, length, options) => {
        const parser = new SliceParser(options)
        for (const chunk of inChunks(start + 'a'.repeat(length - 1), PIECE)) feed(parser, chunk)
        return parser.longString
      }
      for (const start of ['"', '["', '{"a":"', '[[1],"']) {
        assert.equal(partsOf(start, LONG - 1), null)
        assert.equal(partsOf(start, LONG), 'a'.repeat(LONG - 1))
        assert.equal(partsOf(start, 10, { longStringLength: 11 }), null)
        assert.equal(partsOf(start, 10, { longStringLength: 10 }), 'a'.repeat(9))
      }
      for (const start of ['{"', '{"a":{},"']) assert.equal(partsOf(start, 3 * LONG), null)
    })

    it('are not parsed twice', async () => {
      const sizes = []
      const counting = (text) => {
        sizes.push(text.length)
        return JSON.parse(text)
      }
      await outcomeInSlices(`["${'a'.repeat(10 * LONG)}",1,2]`, PIECE, { parse: counting })
      assert.ok(sizes.every((size) => size < PIECE), `${sizes}`)
    })
  })

  it('nest 100,000 deep', async () => {
    const DEPTH = 100_000
    for (const [open, close, inner] of [['[', ']', (value) => value[0]], ['{"a":', '}', (value) => value.a]]) {
      let value = await parseInSlices(`${open.repeat(DEPTH)}1${close.repeat(DEPTH)}`)
      let depth = 0
      for (; typeof value === 'object'; depth++) {
        assert.equal(Object.keys(value).length, 1)
        value = inner(value)
      }
      assert.deepEqual([depth, value], [DEPTH, 1])
    }
    const text = `${'['.repeat(DEPTH)}1${']'.repeat(DEPTH + 1)}`
    await assert.rejects(parseInSlices(text), { name: 'SyntaxError', message: outcomeOf(() => JSON.parse(text)).error.message })
  })

  it('of so many chunks that the engine could not take their values at once', async () => {
    const count = 150_000
    const value = await outcomeInSlices(`[${'1,'.repeat(count)}2]`, 2)
    assert.deepEqual([value.value?.length, value.value?.at(0), value.value?.at(-2), value.value?.at(-1)], [count + 1, 1, 1, 2])
    const nested = await outcomeInSlices(`[${'[],'.repeat(count)}2]`, 3)
    assert.deepEqual([nested.value?.length, nested.value?.at(-2), nested.value?.at(-1)], [count + 1, [], 2])
  })

  describe('whatever is on Object.prototype', () => {
    const script = (mischief) => `
      const parseInSlices = require('fast-body-parser/json-slices')
      const text = '{"a":[1],"b":{"x":1},"__proto__":[2],"toString":[3],"c":4}'
      ${mischief}
      parseInSlices(Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte))).then((value) => {
        process.stdout.write(JSON.stringify([JSON.stringify(value) === text, Object.keys(value), Object.getOwnPropertyDescriptor(value, 'b').value.x, Object.getPrototypeOf(value) === Object.prototype]))
      })`
    const mischiefs = {
      nothing: '',
      'that is frozen': 'Object.freeze(Object.prototype)',
      'with a setter': "Object.defineProperty(Object.prototype, 'b', { set () { throw new Error('set') }, get () { return 5 }, configurable: true })",
      'with what cannot be written': "Object.defineProperty(Object.prototype, 'b', { value: 5, writable: false })"
    }
    for (const [what, mischief] of Object.entries(mischiefs)) {
      it(what, () => {
        const out = execFileSync(process.execPath, ['--eval', script(mischief)], { cwd: ROOT, encoding: 'utf8', env: { ...process.env, NODE_V8_COVERAGE: '' } })
        assert.deepEqual(JSON.parse(out), [true, ['a', 'b', '__proto__', 'toString', 'c'], 1, true])
      })
    }
  })

  describe('depth', () => {
    const texts = ['1', '[]', '[[]]', '{"a":[{}]}', '[1,[2,[3]],[[[]]]]', '{"[[":"]]","b":["\\"[[["]}']
    const depths = [0, 1, 2, 3, 3.5, 2]
    for (const [index, text] of texts.entries()) {
      it(`is ${depths[index]} of ${text}`, async () => {
        const depth = depths[index]
        for (const size of upTo(text.length)) {
          assert.deepEqual(await parseInSlices(inChunks(text, size), { depth: depth + (text.includes('[[[]]]') ? 1 : 0) }), JSON.parse(text))
          if (depth > 0) await assert.rejects(parseInSlices(inChunks(text, size), { depth: Math.ceil(depth) - 1 }), { name: 'RangeError', message: `the JSON exceeded the depth of ${Math.ceil(depth) - 1}` })
        }
      })
    }

    it('is looked at before anything deep is built', async () => {
      await assert.rejects(parseInSlices('['.repeat(1e6), { depth: 20 }), RangeError)
      await assert.rejects(outcomeInSlices('['.repeat(1e6), PIECE, { depth: 20, tooDeep: () => new RangeError('no'), parse: () => assert.fail('parsed') }).then(({ error }) => { throw error }), { message: 'no' })
    })

    it('or a fault: what comes first is told', async () => {
      await assert.rejects(parseInSlices(inChunks('[x,[[', 1), { depth: 1 }), SyntaxError)
      await assert.rejects(parseInSlices(inChunks('[[[x', 1), { depth: 1 }), RangeError)
    })
  })

  describe('poisoned keys', () => {
    const rows = [
      ['onProtoPoisoning', '{"a":1,"__proto__":{"x":7},"b":2}', { a: 1, b: 2 }],
      ['onProtoPoisoning', '{"__proto__":1}', {}],
      ['onProtoPoisoning', '[{"__proto__":[1,2],"b":[2]}]', [{ b: [2] }]],
      ['onProtoPoisoning', '{"\\u005f_proto__":[{"a":1}],"b":{}}', { b: {} }],
      ['onProtoPoisoning', '{"a":{"__proto__":{"__proto__":[]}}}', { a: {} }],
      ['onConstructorPoisoning', '{"a":1,"constructor":{"prototype":{"x":7}},"b":2}', { a: 1, b: 2 }],
      ['onConstructorPoisoning', '{"constructor":{"b":[1],"prototype":null}}', {}],
      ['onConstructorPoisoning', '[[{"c\\u006fnstructor":{"prototype":[1]},"b":2}]]', [[{ b: 2 }]]]
    ]
    for (const [option, text, rest] of rows) {
      it(`${option}: ${text}`, async () => {
        for (const size of upTo(text.length)) {
          const chunks = inChunks(text, size)
          await assert.rejects(parseInSlices(chunks, { [option]: 'error' }), { name: 'SyntaxError', message: 'Object contains forbidden prototype property' })
          assert.deepEqual(await parseInSlices(chunks, { [option]: 'remove' }), rest)
          assert.ok(isSame(await parseInSlices(chunks, { [option]: 'ignore' }), JSON.parse(text)))
          assert.ok(isSame(await parseInSlices(chunks), JSON.parse(text)))
          const other = option === 'onProtoPoisoning' ? 'onConstructorPoisoning' : 'onProtoPoisoning'
          assert.ok(isSame(await parseInSlices(chunks, { [other]: 'error' }), JSON.parse(text)))
        }
      })
    }

    const harmless = ['{"constructor":[1]}', '{"constructor":null}', '{"constructor":{"name":[1]}}', '{"constructor":[{"prototype":1}]}', '{"constructor":"prototype"}', '{"prototype":{"a":1}}', '["__proto__",["constructor"]]', '{"a":"\\"__proto__\\":1"}']
    for (const text of harmless) {
      it(`are not in ${text}`, async () => {
        for (const size of upTo(text.length)) {
          assert.deepEqual(await parseInSlices(inChunks(text, size), { onProtoPoisoning: 'error', onConstructorPoisoning: 'error' }), JSON.parse(text))
        }
      })
    }

    it('do not hide a fault before them', async () => {
      for (const text of ['{"a":x,"__proto__":1}', '[1,]', '{', `[${'1,'.repeat(50)}{"constructor":{}]`]) {
        for (const size of upTo(10)) {
          await assert.rejects(parseInSlices(inChunks(text, size), { onProtoPoisoning: 'error', onConstructorPoisoning: 'remove' }), { name: 'SyntaxError', message: outcomeOf(() => JSON.parse(text)).error.message })
        }
      }
    })

    it('are not refused in a key that is left out', async () => {
      const options = { onProtoPoisoning: 'remove', onConstructorPoisoning: 'error' }
      assert.deepEqual(await parseInSlices(inChunks('{"__proto__":{"constructor":{"prototype":1}}}', 5), options), {})
    })

    const filler = `"f":"${'f'.repeat(2 * PIECE)}"`
    const overwritten = [
      `{"constructor":1,${filler},"constructor":{"prototype":1}}`,
      `{"constructor":{"prototype":1},${filler},"constructor":1}`,
      `{"constructor":{"prototype":1,${filler}},"constructor":1}`,
      `{"a":{"__proto__":1,${filler}},"a":1}`,
      `{"a":{"__proto__":1},${filler},"a":1}`,
      `{"a":{"__proto__":1},${filler},"b":[{"__proto__":{"constructor":{"prototype":1}}}]}`
    ]
    for (const text of overwritten) {
      it(`are what secure-json-parse finds in ${text.replace(filler, '"f":"..."')}`, async () => {
        for (const protoAction of ['error', 'remove', 'ignore']) {
          for (const constructorAction of ['error', 'remove', 'ignore']) {
            const expected = outcomeOf(() => secure.parse(text, { protoAction, constructorAction }))
            const seen = await parseInSlices(Buffer.from(text), { onProtoPoisoning: protoAction, onConstructorPoisoning: constructorAction }).then((value) => ({ value }), (error) => ({ error }))
            assert.equal(seen.error?.message, expected.error?.message)
            assert.ok(isSame(seen.value, expected.value))
          }
        }
      })
    }

    it('are found among many', async () => {
      const text = `[{"__proto__":1},${'{},'.repeat(40_000)}{}]`
      assert.deepEqual(Object.keys((await parseInSlices(text, { onProtoPoisoning: 'remove' }))[0]), [])
    })

    it('are looked for in turns', async () => {
      const turn = countTurns()
      const texts = []
      const text = `[${'{"\\u0061":[1]},'.repeat(5000)}{"__proto__":1}]`
      await parseInSlices(text, { slice: AT_ONCE })
      texts.push(turn.count)
      turn.count = 0
      assert.deepEqual((await parseInSlices(text, { slice: AT_ONCE, onProtoPoisoning: 'remove' })).at(-1), {})
      texts.push(turn.count)
      turn.stop()
      assert.ok(texts[1] > texts[0] + 5, texts.join())
    })
  })

  describe('many runs of one array', () => {
    it('are joined a part at a time', async () => {
      const text = `[${'0,1,'.repeat(400_000)}2]`
      const size = 4 * 70 // of which more than a few children are whole
      assert.ok(isSame(await parse(new Chunks(inChunks(text, size / 2)), NO_TURNS), JSON.parse(text)))
    })
  })

  it('leaves out a byte order mark behind chunks of nothing', async () => {
    const nothing = Array(4).fill(Buffer.alloc(0))
    assert.deepEqual(await parseInSlices([...nothing, Buffer.from('\ufeff[1]')]), [1])
  })

  it('throws what is no fault of the text as it is', async () => {
    const reason = new RangeError('no memory')
    const chunks = { * [Symbol.iterator] () { throw reason } }
    await assert.rejects(parse(chunks, NO_TURNS), (error) => error === reason)
  })

  describe('an AbortSignal', () => {
    const text = `[${'"value",'.repeat(PIECE)}1]`

    it('that is aborted before lets nothing begin', async () => {
      const reason = new Error('gone')
      await assert.rejects(parseInSlices('[1]', { signal: AbortSignal.abort(reason) }), reason)
      await assert.rejects(parseInSlices('[1', { signal: AbortSignal.abort(reason) }), reason)
    })

    it('stops the work', async () => {
      const controller = new AbortController()
      const written = spyOnSteps()
      const parsing = parseInSlices(text, { signal: controller.signal, slice: AT_ONCE })
      const settled = parsing.then(() => 'parsed', (error) => error)
      for (let turns = 0; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve))
      const reason = new Error('gone')
      controller.abort(reason)
      const before = written.length
      assert.equal(await settled, reason)
      written.stop()
      assert.ok(before > 0 && before < 8)
      assert.equal(written.length, before)
    })

    it('stops the search for what is wrong', async () => {
      const controller = new AbortController()
      const broken = parseInSlices(`${text}x`, { signal: controller.signal, slice: AT_ONCE }).catch((error) => error)
      const { step } = SliceParser.prototype
      SliceParser.prototype.step = function () { // the last call throws
        try {
          return step.call(this)
        } catch (error) {
          controller.abort(new Error('gone'))
          throw error
        }
      }
      try {
        assert.equal((await broken).message, 'gone')
      } finally {
        SliceParser.prototype.step = step
      }
    })

    it('does nothing otherwise', async () => {
      const controller = new AbortController()
      assert.deepEqual(await parseInSlices('[1]', { signal: controller.signal }), [1])
      controller.abort()
      for (const signal of [undefined, null]) assert.deepEqual(await parseInSlices('[1]', { signal }), [1])
    })
  })

  describe('turns', () => {
    it('begins in a later one, whatever the source', async () => {
      const written = spyOnSteps()
      const parsing = parseInSlices('[1]')
      await null
      const before = written.length
      await parsing
      written.stop()
      assert.deepEqual([before, written.length], [0, 1])
    })

    it('each have one slice, and texts have theirs by turns', async () => {
      const texts = Array.from({ length: 4 }, (_, index) => `[${'1,'.repeat(4 * PIECE)}${index}]`)
      const turn = countTurns()
      const written = spyOnSteps(() => turn.count)
      const values = await Promise.all(texts.map((text) => parseInSlices(text, { slice: AT_ONCE })))
      written.stop()
      turn.stop()
      assert.deepEqual(values.map((value) => value.at(-1)), [0, 1, 2, 3])
      assert.equal(new Set(written.map(({ mark }) => mark)).size, written.length)
      const parsers = written.map(({ parser }) => parser)
      const [first, second, third, fourth] = parsers
      assert.deepEqual(parsers.map((parser) => [first, second, third, fourth].indexOf(parser)), parsers.map((_, index) => index % 4))
    })

    it('of a long slice have many pieces', async () => {
      const turn = countTurns()
      const written = spyOnSteps(() => turn.count)
      await parseInSlices(`[${'1,'.repeat(2 * PIECE)}1]`, { slice: 10_000 })
      written.stop()
      turn.stop()
      assert.equal(written.length, 5)
      assert.equal(new Set(written.map(({ mark }) => mark)).size, 1)
    })
  })

  describe('wrong arguments are a TypeError, at once', () => {
    for (const source of [undefined, null, 5, true, {}, Symbol('s'), () => {}, new ArrayBuffer(2), new DataView(new ArrayBuffer(2))]) {
      it(`source ${String(source)}`, () => assert.throws(() => parseInSlices(source), { name: 'TypeError', message: 'the source must be a string, a Uint8Array, or an iterable of Uint8Arrays' }))
    }
    for (const chunk of ['text', 5, null, [1], new Uint16Array(2), new ArrayBuffer(2)]) {
      it(`chunk ${String(chunk)}`, () => assert.throws(() => parseInSlices([Buffer.from('['), chunk]), { name: 'TypeError', message: 'each chunk of the source must be a Uint8Array' }))
    }
    const options = {
      slice: [[0, -1, NaN, '1', {}, true, 1n], 'option slice must be a positive number of milliseconds'],
      signal: [['no', 5, {}, new EventTarget()], 'option signal must be an AbortSignal'],
      depth: [[-1, NaN, '5', true, {}], 'option depth must be a zero or a positive number'],
      onProtoPoisoning: [['throw', true, 0, {}], "option onProtoPoisoning must be one of 'error', 'remove' and 'ignore'"],
      onConstructorPoisoning: [['throw', true, 0, {}], "option onConstructorPoisoning must be one of 'error', 'remove' and 'ignore'"]
    }
    for (const [name, [values, message]] of Object.entries(options)) {
      for (const value of values) it(`${name} ${String(value)}`, () => assert.throws(() => parseInSlices('1', { [name]: value }), { name: 'TypeError', message }))
      it(`but not ${name} undefined or null`, async () => {
        for (const value of [undefined, null]) assert.equal(await parseInSlices('1', { [name]: value }), 1)
      })
    }
    it('reviver', () => assert.throws(() => parseInSlices('1', { reviver () {} }), { name: 'TypeError', message: /^option reviver is not supported/ }))
    it('but not other options', async () => {
      for (const value of [undefined, null, {}, 5]) assert.equal(await parseInSlices('1', value), 1)
    })
  })
})

/** As newer engines do. */
function withLine (parse, text) {
  try {
    return parse(text)
  } catch (error) {
    error.message = error.message.replace(/at position (\d+)$/, (match, position) => {
      const lines = text.slice(0, position).split(/\r\n|\n|\r/)
      return `${match} (line ${lines.length} column ${lines.at(-1).length + 1})`
    })
    throw error
  }
}

/** Notes each call of `step`; to be stopped. */
function spyOnSteps (markOf = () => undefined) {
  const { step } = SliceParser.prototype
  const calls = []
  SliceParser.prototype.step = function () {
    calls.push({ parser: this, mark: markOf() })
    return step.call(this)
  }
  calls.stop = () => { SliceParser.prototype.step = step }
  return calls
}

/** Counts the turns of the event loop; to be stopped. */
function countTurns () {
  const turn = { count: 0, stop: () => { isOn = false } }
  let isOn = true
  const next = () => {
    turn.count++
    if (isOn) setImmediate(next)
  }
  setImmediate(next)
  return turn
}
