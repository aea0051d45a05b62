'use strict'

const assert = require('node:assert/strict')
const SliceParser = require('../../lib/json-slices/parser')
const { PIECE_SIZE, assertLikeJsonParse, inChunks, outcomeInChunks, upTo, withJsonParse } = require('../support/slices')

const LONG = 64 * 1024 // bytes; string values from this length on are parsed in parts

/** What is left to do after all these bytes: until `step` returns true. */
function feed (parser, source) {
  parser.append(Buffer.from(source))
  let steps = 1
  while (!parser.step()) steps++
  return steps
}

// documents.js draws more
const VALID = [
  '-0', '"é日本😀"', ' \n\r\t1 \n\r\t', '[\n[\n1\n]\n,\n[\n2\n]\n]', '[1,[2],3,[4,[5]],[],6]',
  ' { "a" : [ 1 , { "b" : 2 } ] , "c" : { } } ', '["\\"",["\\\\"],"\\\\\\"","\\u0041\\ud83d\\ude00\\n\\/"]',
  '{"]":"[",",":{"}":":"}}', '["\u2028\u2029\u007f\ufeff"]',
  // names
  '{"a":{},"__proto__":{"b":1},"c":[]}', '{"__proto__":[],"__proto__":{}}', '{"\\u005f_proto__":{"a":[]}}',
  '{"b":[1],"2":[2],"a":[3],"1":[4],"-1":[5],"4294967294":[7],"4294967295":[8]}', '{"a":[1],"b":[2],"a":[3]}',
  '{"constructor":{"prototype":{}},"toString":[1]}', '{"x\\ud800":{"\\udc00\\udc00":[1]}}',
  '{"a\\"b":{"c\\\\":{"\\\\\\"":[]}}}', '{"":{"":{"":[]}}}', '{"a" \n : \r [ 1 ] , \t "b" : { } }'
]

describe('slices: SliceParser', () => {
  describe('returns the value of JSON.parse, in chunks of every size,', () => {
    for (const text of VALID) {
      it(`for ${text.slice(0, 60)}`, async () => {
        for (const longStringLength of [1, 5, undefined]) {
          await assertLikeJsonParse(text, upTo(Buffer.byteLength(text)), { longStringLength })
        }
      })
    }

    for (const hex of ['ff', 'c328', 'f09f98', 'f09f9880', '80808080', 'f8']) {
      it(`for strings with the invalid UTF-8 ${hex}, decoded as in one piece`, async () => {
        const source = Buffer.concat([Buffer.from('["a'), Buffer.from(hex, 'hex'), Buffer.from('b"]')])
        for (const longStringLength of [1, 3, undefined]) {
          await assertLikeJsonParse(source, upTo(source.length), { longStringLength })
        }
        await assertLikeJsonParse(source.subarray(0, -2), upTo(source.length))
        await assertLikeJsonParse(source.subarray(2), upTo(source.length))
      })
    }
  })

  describe('with a long string', () => {
    const contents = {
      'characters of two bytes': 'é',
      'characters of four bytes': '😀',
      backslashes: '\\\\',
      'a mixture': 'a\\"é\\\\日\\u0041😀\\ud83d'
    }
    const around = [['', ''], ['[1,', ',2]'], ['{"a":{"b":', '},"c":1}'], ['[', ',']]
    for (const [what, content] of Object.entries(contents)) {
      it(`returns its value if it consists of ${what}`, async () => {
        for (const [index, size] of [LONG - 1, LONG, 2 * LONG].entries()) {
          const text = content.repeat(Math.ceil(size / Buffer.byteLength(content)))
          const [before, after] = around[(content.length + index) % around.length]
          await assertLikeJsonParse(`${before}"${text}"${after}`, [PIECE_SIZE, 10_007])
        }
      })
    }

    it('returns the value that it is the name of', () =>
      assertLikeJsonParse(`{"a":1,"${'a\\"é'.repeat(LONG / 2)}":{"b":1}}`, [PIECE_SIZE]))

    it('finds a fault anywhere in it', async () => {
      for (const fault of ['\n', '\\x', '\\u12', '\\', '\\"', '', '\0']) {
        for (const place of [0, 30, 60]) {
          const text = `"${'b'.repeat(place)}${fault}${'é'.repeat(60)}`
          for (const whole of [`{"a":${text}"]`, `[${text}"`]) {
            await assertLikeJsonParse(whole, [1, 20], { longStringLength: 10 })
          }
        }
      }
    })

    it('refuses it where no string is allowed', async () => {
      const long = 'x'.repeat(40)
      for (const text of [`[1 "${long}"]`, `[[1]"${long}"]`, `[[1] "${long}`, `{"a":[1] "${long}":1}`,
        `{"a" "${long}"}`, `{"a":1"${long}"}`, `{"a":[]"${long}"}`, `1"${long}"`, `[]"${long}"`, `"${long}""${long}"`,
        `["${long}" "${long}"]`, `["${long}"1]`, `{"a":"${long}" "b":1}`]) {
        await assertLikeJsonParse(text, [1, 20], { longStringLength: 10 })
      }
    })

    it('parses it in parts from 64 KB on, unless it is a name', () => {
      const partsOf = (start, length, options) => {
        const parser = new SliceParser(options)
        for (const chunk of inChunks(start + 'a'.repeat(length - 1), PIECE_SIZE)) feed(parser, chunk)
        return parser.longString
      }
      for (const start of ['"', '["', '{"a":"', '[[1],"']) {
        assert.equal(partsOf(start, LONG - 1), null)
        assert.equal(partsOf(start, LONG), 'a'.repeat(LONG - 1))
        assert.equal(partsOf(start, 10, { longStringLength: 11 }), null)
        assert.equal(partsOf(start, 10, { longStringLength: 10 }), 'a'.repeat(9))
      }
      for (const start of ['{"', '{ "', '{"a":{},"']) assert.equal(partsOf(start, 3 * LONG), null)
    })

    it('parses each part once', async () => {
      const sizes = []
      const counting = (text, parse) => {
        sizes.push(text.length)
        return parse(text)
      }
      const { value } = await withJsonParse(counting, () => outcomeInChunks(`["${'a'.repeat(4 * LONG)}",1,2]`,
        PIECE_SIZE))
      assert.equal(value[0].length, 4 * LONG)
      const total = sizes.reduce((sum, size) => sum + size, 0)
      assert.ok(total > 4 * LONG && total < 4 * LONG + 200, `${total} characters`)
      assert.ok(Math.max(...sizes) <= LONG + PIECE_SIZE, `${sizes}`)
    })
  })

  it('parses each child of a flat array once, as soon as it is complete', () => {
    const texts = []
    const parser = new SliceParser({ inspect: (text) => texts.push(text) })
    for (const chunk of ['[1,2', ',3,"a', '",4', '5]']) feed(parser, chunk)
    assert.deepEqual(parser.end(), [1, 2, 3, 'a', 45])
    assert.deepEqual(texts, ['[1]', '[2,3]', '["a"]', '[45]'])
  })

  it('shows each name to `inspect`, in or outside of what JSON.parse parses', () => {
    const texts = []
    const parser = new SliceParser({ inspect: (text) => texts.push(text) })
    for (const chunk of ['{"a":{"b":1,"c":[', '2],"d":"', 'x"}', '}']) feed(parser, chunk)
    assert.deepEqual(parser.end(), { a: { b: 1, c: [2], d: 'x' } })
    assert.deepEqual(texts, ['a', '{"b":1}', 'c', '[2]', '{"d":"x"}'])
  })

  describe('opens and closes at most 256 containers in a step', () => {
    const nestings = { arrays: ['[', ']'], objects: ['{"a":', '}'], 'arrays with other children': ['[1,', ',2]'] }
    for (const [what, [open, close]] of Object.entries(nestings)) {
      it(`of ${what}`, () => {
        for (const [count, steps] of [[256, 1], [257, 2], [512, 2], [513, 3]]) {
          const parser = new SliceParser()
          assert.equal(feed(parser, open.repeat(count)), steps, `${count} that open`)
          assert.equal(parser.containers.depth, count)
          feed(parser, '0')
          assert.equal(feed(parser, close.repeat(count)), steps, `${count} that close`)
          const text = `${open.repeat(count)}0${close.repeat(count)}`
          assert.equal(JSON.stringify(parser.end()), JSON.stringify(JSON.parse(text)))
        }
      })
    }

    it('does not count those that both open and close in it', () => {
      const parser = new SliceParser()
      assert.equal(feed(parser, `[${'[[]],'.repeat(1000)}[]]`), 1)
      assert.equal(parser.end().length, 1001)
    })
  })

  it('drops white space and all that is parsed before it keeps more bytes', () => {
    const parser = new SliceParser()
    const { length } = parser.input.buffer
    feed(parser, '[')
    for (let left = 20; left > 0; left--) feed(parser, `${' \n'.repeat(PIECE_SIZE / 4)}${'1,'.repeat(PIECE_SIZE / 4)}`)
    feed(parser, '1]')
    assert.equal(parser.input.buffer.length, length)
    assert.equal(parser.end().length, 20 * PIECE_SIZE / 4 + 1)
  })

  it('parses nesting of 20,000 levels', async () => {
    const DEPTH = 20_000
    for (const [open, close, inner] of [['[', ']', (value) => value[0]], ['{"a":', '}', (value) => value.a]]) {
      let { value } = await outcomeInChunks(`${open.repeat(DEPTH)}1${close.repeat(DEPTH)}`, PIECE_SIZE)
      let depth = 0
      for (; typeof value === 'object'; depth++) {
        assert.equal(Object.keys(value).length, 1)
        value = inner(value)
      }
      assert.deepEqual([depth, value], [DEPTH, 1])
    }
    await assertLikeJsonParse(`${'['.repeat(DEPTH)}1${']'.repeat(DEPTH + 1)}`, [PIECE_SIZE])
  })

  describe('limits the depth', () => {
    const rows = [[0, '1'], [0, '"[["'], [1, '[]'], [2, '[[]]'], [3, '{"a":[{}]}'], [4, '[1,[2,[3]],[[[]]]]'],
      [2, '{"[[":"]]","b":["\\"[[["]}']]
    for (const [depth, text] of rows) {
      it(`accepts ${text} with a depth of ${depth}, but not with less`, async () => {
        const tooDeep = () => new RangeError('too deep')
        for (const size of upTo(text.length)) {
          for (const accepted of [depth, depth + 0.5, depth + 1]) {
            assert.deepEqual(await outcomeInChunks(text, size, { depth: accepted, tooDeep }),
              { value: JSON.parse(text) })
          }
          if (depth === 0) continue
          for (const refused of [depth - 1, depth - 0.5]) {
            assert.equal((await outcomeInChunks(text, size, { depth: refused, tooDeep })).error.message, 'too deep')
          }
        }
      })
    }

    it('before it parses anything', async () => {
      const refuse = () => assert.fail('parsed')
      const { error } = await withJsonParse(refuse, () => outcomeInChunks('['.repeat(1e6), PIECE_SIZE,
        { depth: 20, tooDeep: () => new RangeError('too deep') }))
      assert.equal(error.message, 'too deep')
    })

    it('reports it or a fault, whichever comes first', async () => {
      const tooDeep = () => new RangeError('too deep')
      assert.equal((await outcomeInChunks('[x,[[', 1, { depth: 1, tooDeep })).error.name, 'SyntaxError')
      assert.equal((await outcomeInChunks('[[[x', 1, { depth: 1, tooDeep })).error.message, 'too deep')
    })
  })
})
