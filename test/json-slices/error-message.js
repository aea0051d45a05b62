'use strict'

const assert = require('node:assert/strict')
const parse = require('../../lib/json-slices/parse-chunks')
const { TextChunks } = require('../../lib/json-slices/utf8')
const {
  ENDLESS_TASK,
  PIECE_SIZE,
  assertLikeJsonParse,
  inChunks,
  outcomeInChunks,
  outcomeOf,
  settled,
  withJsonParse
} = require('../support/slices')

const BROKEN = [
  '', ' ', '\n', 'x', '-', '1 2', '[', '{', ']', '}', '"', '[1,]', '[,1]', '[1,,2]', '[1 2]', '[1}', '[[]', '[]]',
  '"abcdef",', '{}[]', '{},', ',', ':', '{"a"', '{"a":', '{"a":}', '{"a":1,}', '{"a" 1}', '{,}', '{a:1}',
  '{"a":1]', '{{}:1}', '{"a"::[]}', '[[1] 2]', '[[1],]', '[{} {}]', '["a" [2]]', '["a"b]', '{"a":{} {}}',
  '{"a":[1],}', '{"a":{},"b"}', '{"a":[1}}', '["\n"]', '["\\x"]', '["\\u12g4"]', '["\\', '["\\"]', '"\\ud83d', '"a"b',
  '{"\\x":[1]}', '{"\n":[]}', 'tru', '[truex]', '[+1]', '[01]', '[1.]', '[NaN]', '[1]//', '\u00a0[]', '\ufeff[]',
  '[\0]', '😀', '[1,é]', '{"a":1 "b":2}'
]

const filler = (count) => Array.from({ length: count }, (_, index) => `[${index},"${'é'.repeat(index % 4)}"]`).join()

/** Adds a line and a column, as V8 does since Node 22. */
function parseWithLine (text, parse) {
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

describe('slices: the SyntaxError of a text that is not JSON', () => {
  describe('is that of JSON.parse, in chunks of every size,', () => {
    const beginnings = {
      'at the beginning': '',
      'behind line ends of all kinds': `[\n1,\r\n2,\r3,\n\r4,\r\r\n5,${filler(9)},\r\n`,
      'in an object': `{"a":[${filler(12)}],"b":`
    }

    for (const [what, start] of Object.entries(beginnings)) {
      it(`for a fault ${what}`, async () => {
        const broken = BROKEN.map((end) => start + end)
          .filter((text) => outcomeOf(() => JSON.parse(text)).error !== undefined)
        for (const [index, text] of broken.entries()) {
          const length = Buffer.byteLength(text)
          const sizes = [1 + index % 5, 7, length - index % 3]
          await assertLikeJsonParse(text, sizes.filter((size) => size > 0), { longStringLength: 3 })
        }
      })
    }

    it('for a fault where one of the pieces ends in which bytes are parsed', async () => {
      const item = '"é\\n",\n[1,{"a":2}],'
      const start = `[${item.repeat(Math.ceil(PIECE_SIZE / Buffer.byteLength(item)) + 5)}`
      const bytes = Buffer.from(start)
      for (let at = PIECE_SIZE - 3; at < PIECE_SIZE + 3; at++) {
        const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)]
        if (String(head).endsWith('\ufffd')) continue
        for (const junk of ['x', '}', '"\\q', '\n\0']) {
          await assertLikeJsonParse(Buffer.concat([head, Buffer.from(junk), tail]), [bytes.length])
        }
        await assertLikeJsonParse(head, [bytes.length])
      }
    })

    it('with a line and a column, where the engine names these', async () => {
      const hasLines = outcomeOf(() => JSON.parse('[')).error.message.includes('(line 1 column 2)')
      await withJsonParse(hasLines ? (text, parse) => parse(text) : parseWithLine, async () => {
        const lines = `[1,${'"é",\n[],\r\n{},\r3,\n\r4,\r\r\n'.repeat(12)}`
        for (const start of [lines, `[${'1,'.repeat(50)}`, '\n \r\n'.repeat(40), `["${'日'.repeat(40)}",\n`]) {
          for (const end of ['[}', '\n{"a" 1}', '\r\n1 2', '\r"\n"', '\r\n"\\x"', '1\n]\n1', '"', '\n']) {
            const text = start + end
            assert.match(outcomeOf(() => JSON.parse(text)).error.message,
              /at position \d+ \(line \d+ column \d+\)$|^Unexpected (end|token)/)
            await assertLikeJsonParse(text, [1 + text.length % 9, 40, text.length], { longStringLength: 9 })
          }
        }
      })
    })

    for (const quoted of ['$& $1 $$', '\uffff\ufffe', '..."', '"","', '          ', '😀😀😀']) {
      it(`with ${JSON.stringify(quoted)} in the text that it quotes`, async () => {
        for (let count = 0; count < 14; count++) {
          await assertLikeJsonParse(`[${filler(12)},${JSON.stringify(quoted)}${' '.repeat(count)}x ${quoted}`, [3])
          await assertLikeJsonParse(`${' '.repeat(70 + count)}x${quoted}`, [7])
        }
      })
    }
  })

  it('is found with the part of a long text around it alone', async () => {
    const sizes = []
    const counting = (text, parse) => {
      sizes.push(text.length)
      return parse(text)
    }
    const filler = '"a",'.repeat(4 * PIECE_SIZE)
    for (const text of [`[${filler}x]`, `[x,${filler}1]`]) {
      await withJsonParse(counting, () => assertLikeJsonParse(text, [PIECE_SIZE]))
      assert.equal(sizes.shift(), text.length) // by JSON.parse itself
      assert.ok(Math.max(...sizes) <= 2 * PIECE_SIZE, `${sizes}`)
      sizes.length = 0
    }
  })

  it('is found in time slices', async () => {
    let pauses = 0
    const task = { pause: async () => { pauses++ } }
    const text = `[${'"é",'.repeat(PIECE_SIZE)}x]`
    const { error } = await settled(parse(inChunks(text, 3 * PIECE_SIZE), task))
    assert.match(error.message, /^Unexpected token '?x/)
    const pieces = Math.floor(Buffer.byteLength(text) / PIECE_SIZE)
    assert.ok(pauses >= 2 * pieces, `${pauses} for ${pieces} pieces`)
  })

  it('has the message in the first line of its stack', async () => {
    for (const text of ['', `[${filler(40)},x]`, `"${'a'.repeat(100)}`]) {
      const { error } = await outcomeInChunks(text, 7)
      const { error: theirs } = outcomeOf(() => JSON.parse(text))
      assert.ok(error.stack.startsWith(`SyntaxError: ${theirs.message}\n`))
    }
  })

  it('is that of the parser if JSON.parse was replaced and accepts the text', async () => {
    const lenient = (text, parse) => outcomeOf(() => parse(text)).value ?? []
    for (const chunks of [inChunks('[1]]', 1), inChunks(`[${filler(12)}]]`, 9), new TextChunks('["\ud800"]]')]) {
      const { error } = await withJsonParse(lenient, () => settled(parse(chunks, ENDLESS_TASK)))
      assert.deepEqual([error.constructor, error.message], [SyntaxError, 'not JSON'])
    }
  })
})
