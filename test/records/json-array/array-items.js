'use strict'

const assert = require('node:assert/strict')
const { PrecedingText } = require('../../../lib/json-slices/syntax-error')
const judge = require('../../../reliability/json-array/judge')
const read = require('../../../reliability/json-array/read')
const { createItems } = require('../../../lib/records/json-array/array-items')
const { ItemScanner } = require('../../../lib/records/json-array/item-scanner')
const { withJsonParse } = require('../../support/slices')
const within = require('../../support/within')

/** Of bytes that a test writes. */
const createSource = (parse, settings) => createItems({ decode: (bytes) => Buffer.from(bytes).toString() },
  { parse, settings: { depth: 9, path: [], record: 1e6, ...settings } })

function countLineBreaks (bytes, text) {
  const preceding = new PrecedingText()
  preceding.skip(text, bytes)
  return preceding.line - 1
}

const document = (text, more) => ({ bytes: Buffer.from(text), cuts: [], path: [], ...more })
const long = (count, make) => Array.from({ length: count }, (_, index) => make(index)).join(',')

/** @returns {Promise<number>} bytes that are scanned meanwhile */
async function scannedBytes (act) {
  const { findCut } = ItemScanner.prototype
  let scanned = 0
  const counting = function (...args) {
    const start = this.at
    const cut = findCut.apply(this, args)
    scanned += this.at - start
    return cut
  }
  await within(ItemScanner.prototype, { findCut: counting }, act)
  return scanned
}

/** Sizes of slices, of many items and of few, without a reviver, and with one, which is called for each item alone. */
const READINGS = [16384, 16].flatMap((sliceBytes) => [undefined, (key, value) => value].map((reviver) =>
  ({ sliceBytes, reviver })))

/** Whole and byte by byte, in each reading; and cut once at each place, in one reading after the other. */
function assertLikeJsonParse (text, path = []) {
  const bytes = Buffer.from(text)
  const each = Array.from(bytes.keys())
  const arrivals = [
    ...[[], each].flatMap((cuts) => READINGS.map((reading) => [cuts, reading])),
    ...each.map((at) => [[at], READINGS[at % READINGS.length]])
  ]
  for (const [cuts, { sliceBytes, reviver }] of arrivals) {
    const pieces = { bytes, cuts, path, sliceBytes }
    assert.equal(judge(pieces, read(pieces, { reviver })), null, JSON.stringify({ text, cuts, sliceBytes }))
  }
}

const ARRAYS = {
  'an empty array': ['[]', ' [ ] ', '\n[\t\r\n]\r'],
  scalars: ['[1]', '[0,-0,1.5,-1e10,1E-7,2e+3]', '["",null,true,false]', '[1e400,12345678901234567890]'],
  containers: ['[[]]', '[[[[]]],{}]', '[{"a":[{"b":{}}]},[[],[]]]', `${'['.repeat(50)}${']'.repeat(50)}`],
  'white space': ['[ 1 , 2 ]', '[\n1,\r\n2\r]', '\t[\t{\t"a"\t:\t1\t}\t,\t2\t]\t'],
  'brackets, commas and quotes in strings': ['["[",",","]","}","\\"","\\\\","\\\\\\""]', '[{"]":"[,"},{"\\",":"{"}]'],
  'long strings': [
    `["${'x'.repeat(70)}\\"${'y'.repeat(70)}\\\\",1]`,
    `["${'\\"'.repeat(70)}","${'\\\\'.repeat(70)}",{"a":"${'z'.repeat(64)}"}]`
  ],
  escapes: ['["\\u00e9\\ud83d\\ude00\\ud83d\\/\\b\\f\\n\\r\\t"]', '[{"\\u0061":1},{"\\\\":2}]'],
  'characters of several bytes': ['["é","€","😀"]', '[{"é":"😀"},"€,€"]', '["\u2028\u2029\u007f\ufeff"]'],
  'a byte order mark': ['\ufeff[1]', '\ufeff[ "\ufeff" ]', '\ufeff[]'],
  'bytes that are no UTF-8': [
    Buffer.from('5b22ff222c22c3222c22e2825d22225d', 'hex'), Buffer.from('5b22f09f98222c22c0af225d', 'hex')
  ],
  'records of one kind': [`[${long(8, (id) => `{"id":${id},"list":[{"id":1},{"id":[2]}]}`)}]`]
}

const BROKEN = {
  'nothing, or an end too early': [
    '', ' ', '\ufeff', '[', '[ ', '[1', '[1,', '[1,2', '["', '["a', '["\\', '["\\u00', '[{'
  ],
  'an end within an item': ['[1,{"a"', '[1,{"a":', '[{"a":1', '[{"a":1,', '[1,[2', '[1,tru', '[1,-', '[1,2.', '[1,2e'],
  'commas that are too many': ['[,]', '[1,]', '[,1]', '[1,,2]', '[1, ]', '[1,2,\n]', '[[],]', '[,', '[1,2,,{}]'],
  'commas that are missing': ['[1 2]', '[[][]]', '[{}{}]', '["a""b"]', '[1"a"]', '[1[2]]', '[1,2 3,4]'],
  'another closing bracket': ['[}', '[1}', '[1,{]', '[{"a":1]]', '[[1}]', '[1,2},3]', '[1]]', '[[]', '[{]}'],
  'more behind the array': [
    '[]x', '[1],', '[1][2]', '[1]1', '[]{}', '[1] "a"', '[1]\n\n/', '[1]\0', '[1]\ufeff', '[]]'
  ],
  'members of objects': [
    '[{a:1}]', '[{"a"}]', '[{"a" 1}]', '[{"a":}]', '[{"a":1,}]', '[{"a":1 "b":2}]', '[{,}]', '[{1:2}]'
  ],
  'a mark that is cut': [Buffer.of(0xEF), Buffer.of(0xEF, 0xBB), Buffer.of(0xEF, 0xBB, 0x5B, 0x5D), '\ufeff\ufeff[]'],
  'a far place': [
    `[\n${long(12, (id) => `{"é":${id}}`)},\r\n\n1 2]`, `[${long(9, (id) => `"😀${id}"`)},\r[1,\n{"a":\r\n}]]`,
    `[${long(9, (id) => `\n{"id":${id}}`)},{"id":}]`,
    `[${long(9, (id) => `\r\n{\r\n "id":${id}\r\n}`)},\r\n{\r\n "id":}]`,
    `[${long(9, (id) => `{"id":"é${id}"}`)},{"id":1]]`
  ]
}

const PATHS = {
  'an array below a key': [['a'], '{"a":[1,2]}', ' { "x" : [ 3 ] , "a" : [ 1 , {"a":5} ] , "y" : { "a" : 4 } } '],
  'an array below several keys': [
    ['a', 'b'], '{"a":{"b":[1]}}', '{"x":{"b":[2]},"a":{"y":{"b":3},"b":[1],"z":[]},"b":4}'
  ],
  'keys with escapes': [
    ['é/~', ''], '{"\\u00e9\\/~":{"":[1]}}', '{"é\\u002f\\u007e":{"":[1,2]}}', '{"é":1,"é/~":{"":[]}}'
  ],
  'keys with characters that are escaped': [
    ['"\\\n\t\b\f\r'], '{"\\"\\\\\\n\\t\\b\\f\\r":[1]}', '{"\\u0022\\u005C\\u000A\\u0009\\u0008\\u000c\\u000d":[2]}',
    '{"\\"":1,"\\n":2,"\\"\\\\\\n\\t":3}'
  ],
  'keys of two code units': [
    ['😀'], '{"😀":[1]}', '{"\\uD83D\\ude00":[1]}',
    '{"\\ud83d":1,"\\ud83d\\n":2,"\\ud83dx":3,"😁":4,"\\ud83d\\ude00":[5]}'
  ],
  'keys that are longer': [
    ['ab'], `{"ab${'c'.repeat(99)}":1,"a":2,"abc":3,"ab":[4]}`, '{"\\u0061\\u0062":[5],"\\u0061\\u0062\\u0063":1}'
  ],
  'faults beside it': [
    ['a'], '{"a":[1]', '{"a":[1],}', '{"x":tru,"a":[1]}', '{"a":[1],"x":01}', '{"a":[1]]', '{"x":[1},"a":[1]}',
    '{"a" [1]}', '{"a":x}', '{"x":"é\n","a":[1]}', '{"é":"\r\n', '{"a":[1 2]}', '{"a":[1]}}', '{"a":[1],"b" 1}',
    '{"x":1 ,\n\n"y":}'
  ]
}

describe('json-array: items, or the error of JSON.parse at its byte, in pieces of every size,', () => {
  for (const [what, texts] of Object.entries({ ...ARRAYS, ...BROKEN })) {
    it(`of ${what}`, () => texts.forEach((text) => assertLikeJsonParse(text)))
  }

  for (const [what, [path, ...texts]] of Object.entries(PATHS)) {
    it(`of ${what}`, () => texts.forEach((text) => assertLikeJsonParse(text, path)))
  }

  it('of what is not JSON behind so much text that messages quote a part of it', () => {
    const broken = Object.values(BROKEN).flat().filter((text) => text[0] === '[' && text !== '[]]')
    for (const text of broken) {
      for (const [path, before] of [[[], `["${'x'.repeat(30)}",`], [['a'], `{"${'x'.repeat(30)}":`]]) {
        const bytes = Buffer.from(before + text.slice(path.length === 0 ? 1 : 0))
        for (const cuts of [[], Array.from(bytes.keys())]) {
          const pieces = { bytes, cuts, path }
          assert.equal(judge(pieces, read(pieces)), null, JSON.stringify({ before, text, cuts }))
        }
      }
    }
  })

  it('where an app has replaced JSON.parse by a more lenient function', async () => {
    const { error } = await withJsonParse((text, parse) => text.includes('?') ? 1 : parse(text),
      () => read(document('[1,?]')))
    assert.equal(error.message, 'the text is not JSON')
    assert.equal(error.offset, 3)
  })
})

describe('json-array: a JSON text that has no such array', () => {
  // [text, path, message, type, offset]
  const rows = [
    ['{"a":1}', [], 'the JSON is an object, not an array', 'records.not.found', 0],
    [' "a"', [], 'the JSON is a string, not an array', 'records.not.found', 1],
    ['-1', [], 'the JSON is a number, not an array', 'records.not.found', 0],
    ['true', [], 'the JSON is a boolean, not an array', 'records.not.found', 0],
    ['null', [], 'the JSON is null, not an array', 'records.not.found', 0],
    ['[1]', ['a'], 'the JSON is an array, not an object with "/a"', 'records.not.found', 0],
    ['{"a":{}}', ['a'], 'the value at "/a" is an object, not an array', 'records.not.found', 5],
    ['{"a": 5}', ['a', 'b/c~d'], 'the value at "/a" is a number, not an object with "/b~1c~0d"', 'records.not.found',
      6],
    ['{}', ['a'], 'the JSON has no "/a"', 'records.not.found', 2],
    ['{"a":{},"b":[]} ', ['a', 'b'], 'the JSON has no "/a/b"', 'records.not.found', 16],
    ['{"a":{},"a":{"b":[]}}', ['a', 'b'], 'the JSON has "/a" more than once', 'records.ambiguous', 11],
    ['{"a":[1],"\\u0061":[2]}', ['a'], 'the JSON has "/a" more than once', 'records.ambiguous', 17]
  ]
  for (const [text, path, message, type, offset] of rows) {
    it(`is refused: ${text} (path ${JSON.stringify(path)})`, () => {
      for (const cuts of [[], Array.from(text, (_, index) => index)]) {
        const { error } = read(document(text, { cuts, path }))
        assert.deepEqual([error.message, error.type, error.offset, error.status], [message, type, offset, 400])
      }
    })
  }
})

describe('json-array: limits', () => {
  const outcome = (text, settings, more) => {
    const { items, error } = read(document(text, more), settings)
    return [items, error && [error.type, error.limit ?? error.depth, error.offset]]
  }

  it('refuse an item of more bytes, after those before', () => {
    for (const cuts of [[], [6], [1, 2, 3, 4, 5, 6, 7, 8]]) {
      assert.deepEqual(outcome('[1,"45678",2]', { record: 7 }, { cuts }), [[1, '45678', 2], null])
      assert.deepEqual(outcome('[1,"456789",2]', { record: 7 }, { cuts }), [[1], ['entity.too.large', 7, 3]])
      assert.deepEqual(outcome('[1,"4567890', { record: 7 }, { cuts }), [[1], ['entity.too.large', 7, 3]])
    }
  })

  it('bound what nests beside the array, and not the path to it', () => {
    assert.deepEqual(outcome('{"x":[[]],"a":[[[[1]]]]}', { depth: 2 }, { path: ['a'] }), [[[[[1]]]], null])
    assert.deepEqual(outcome('{"x":[[[[]]]],"a":[1]}', { depth: 2 }, { path: ['a'] }),
      [[], ['entity.too.deep', 2, 8]])
    assert.equal(outcome(`{"x":${'['.repeat(50)}`, { record: 20 }, { path: ['a'] })[1][0], 'entity.too.deep')
  })
})

describe('json-array: ends of lines', () => {
  it('are counted in bytes that begin anywhere', () => {
    const texts = [
      '\r\nx\n\r', 'a\rx\u008a\r', '\u0b0a\ufffd\nx\u0b0a', '\t\v\f x ', `${'\n'.repeat(3000)}x`, '\r\n'.repeat(9)
    ]
    for (const text of texts) {
      for (let padding = 0; padding < 5; padding++) {
        const bytes = Buffer.from('\n'.repeat(padding) + text).subarray(padding)
        assert.equal(countLineBreaks(bytes, text), text.split(/\r\n|\r|\n/).length - 1, JSON.stringify(text))
      }
    }
  })
})

describe('json-array: the place of an item, and its text', () => {
  const reviver = (key, value) => value // with which items are parsed alone

  it('are its number and the byte behind the comma before it, parsed with others or alone', () => {
    for (const settings of [{}, { reviver }]) {
      const source = createSource(JSON.parse, { path: ['é'], ...settings })
      source.write(Buffer.from('{"é":["[,",{"é":[1,2]}, 3]}'))
      const seen = []
      while (source.find()) seen.push([source.take(), source.place, source.text, source.unit])
      assert.deepEqual(seen, [
        ['[,', { record: 1, offset: 7 }, '"[,"', 'record'],
        [{ é: [1, 2] }, { record: 2, offset: 12 }, '{"é":[1,2]}', 'record'],
        [3, { record: 3, offset: 25 }, ' 3', 'record']
      ])
    }
  })

  it('come with an error that is not of the JSON, once the items before are given', () => {
    const parse = (text) => {
      if (text.includes('"bad"')) throw new RangeError('refused')
      return JSON.parse(text)
    }
    for (const settings of [{}, { reviver }]) {
      const { error, items } = read(document('[1,2, "bad",4]'), { parse, ...settings })
      assert.deepEqual(items, [1, 2])
      const { body, message, offset, record, status } = error
      assert.deepEqual({ body, message, offset, record, status },
        { body: ' "bad"', message: 'refused', offset: 5, record: 3, status: 400 })
    }
  })
})

describe('json-array: work and memory', () => {
  it('scans each byte once, and holds an item alone, where the bytes of an item come one by one', async () => {
    const source = createSource(JSON.parse)
    const bytes = Buffer.from(`["${'x'.repeat(5e4)}",1]`)
    const scanned = await scannedBytes(() => {
      for (const byte of bytes) {
        source.write(Uint8Array.of(byte))
        source.find()
        assert.ok(source.bufferedBytes <= 1e5 + 10)
      }
    })
    assert.ok(scanned <= bytes.length)
  })

  const lists = (count, lines) => Array.from({ length: count }, (_, id) => {
    return { id, lines: Array.from({ length: lines }, (_, id) => ({ id, text: '},{"id":' })) }
  })
  // [what, items, indentation, most calls of JSON.parse, bytes to scan for each of the text]
  const together = [
    ['of few bytes', Array.from({ length: 10_000 }, () => []), 0, 2, 1],
    ['with lists of what begins as they do', lists(500, 10), 0, 14, 0.01],
    ['with indentation', lists(500, 10), 2, 38, 0.01],
    ['of two kilobytes, each with such a list', lists(100, 60), 0, 20, 0.05],
    ['of more bytes, each with such a list', lists(20, 300), 0, 24, 1]
  ]
  for (const [what, items, indentation, most, share] of together) {
    it(`parses items together: ${what}`, async () => {
      const bytes = Buffer.from(JSON.stringify(items, null, indentation))
      let calls = 0
      const parse = (text) => {
        calls++
        return JSON.parse(text)
      }
      const scanned = await scannedBytes(() =>
        assert.deepEqual(read({ bytes, cuts: [], path: [] }, { parse }).items, items))
      assert.ok(calls <= most, `${calls} calls for ${bytes.length} bytes`)
      assert.ok(scanned <= bytes.length * share, `${scanned} of ${bytes.length} bytes`)
    })
  }

  it('calls a reviver once for each item, as it is asked for', () => {
    const seen = []
    const parse = (text) => {
      seen.push(text)
      return JSON.parse(text)
    }
    const source = createSource(parse, { reviver: (key, value) => value })
    source.write(Buffer.from('[0,"é",false]'))
    const texts = ['0', '"é"', 'false']
    for (let count = 1; count <= texts.length; count++) {
      source.find()
      assert.deepEqual(seen, texts.slice(0, count))
    }
  })
})
