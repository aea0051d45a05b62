'use strict'

const assert = require('node:assert/strict')
const vm = require('node:vm')
const fc = require('fast-check')
const { CONTENT, HEADER, PART_END, Scanner } = require('../../../lib/uploads/parts/scanner')
const platform = require('../../../lib/core/platform')
const { arrivals, cut } = require('../../support/arrival')
const loadAgain = require('../../support/load-again')
const within = require('../../support/within')

/** Where `indexOf` of a Buffer is slow: see lib/core/platform.js. */
const SlowScanner = loadWhere({ searchesSlowly: true })

function loadWhere (capabilities) {
  return within(platform, capabilities, () => loadAgain(require.resolve('../../../lib/uploads/parts/scanner'))).Scanner
}

/** Parts as [header, data], then 'end', or the type of the fault. */
function scan (pieces, { boundary = 'b', maxHeader = 100, maxPerPart, Scanner: Class = Scanner } = {}) {
  const found = []
  let part = null
  const scanner = new Class(boundary, maxHeader, (type) => { throw new Error(type) }, maxPerPart)
  const take = (what) => {
    const text = scanner.found.latin1Slice(scanner.start, scanner.end)
    if (what === HEADER) {
      assert.equal(part, null, 'a part begins after the end of another')
      part = [text, '']
    } else if (what === CONTENT) {
      assert.ok(text.length > 0)
      part[1] += text
    } else {
      assert.equal(what, PART_END)
      found.push(part)
      part = null
    }
  }
  try {
    for (const piece of pieces) {
      scanner.write(piece)
      for (let what; (what = scanner.next()) !== null;) take(what)
    }
    for (let what; (what = scanner.endBody()) !== null;) take(what)
    found.push('end')
  } catch (error) {
    found.push(error.message)
  }
  return found
}

const content = (text) => `--b\r\nA: 1\r\n\r\n${text}\r\n--b--\r\n`

// [what, body, parts and outcome]
const rows = [
  ['two parts', '--b\r\nA: 1\r\n\r\none\r\n--b\r\nB: 2\r\nC: 3\r\n\r\ntwo\r\n--b--\r\n', ['A: 1', 'one'],
    ['B: 2\r\nC: 3', 'two'], 'end'],
  ['no parts, and no line end', '--b--', 'end'],
  ['no data', content(''), ['A: 1', ''], 'end'],
  ['no header', '--b\r\n\r\none\r\n--b--', ['', 'one'], 'end'],
  ['a last boundary with white space and without a line end', '--b\r\nA: 1\r\n\r\none\r\n--b-- \t', ['A: 1', 'one'],
    'end'],
  ['a preamble of a line end', '\r\n--b\r\nA: 1\r\n\r\none\r\n--b--\r\n', ['A: 1', 'one'], 'end'],
  ['a preamble with lines that resemble a boundary',
    'x--b-\rX\r\n\r\n--bX\r\n--b--X\r\n--b--\n\r\n--b\r\nA: 1\r\n\r\none\r\n--b--\r\n', ['A: 1', 'one'], 'end'],
  ...[
    '\n', '\r', '\xEF\xBB\xBF', 'text', '---b', 'x\r\ny', '--bX', '--b--', '--b--\n', '--b--X\r\n-',
    '--b-- \t'
  ].map((before) => [
    `a boundary behind ${JSON.stringify(before)}, which does not end a line`,
    `${before}--b \t\r\nA: 1\r\n\r\none\r\n--b--\r\n`, ['A: 1', 'one'], 'end'
  ]),
  ...['\n', '\r', ' \t\n', '\r\r\n', '\n\r\n--b\r\n'].flatMap((lineEnd) => ['', '\r\n', '\n', 'text'].map((before) => [
    `a first boundary behind ${JSON.stringify(before)} whose line ends with ${JSON.stringify(lineEnd)}`,
    `${before}--b${lineEnd}A: 1\r\n\r\none\r\n--b\r\nB: 2\r\n\r\ntwo\r\n--b--\r\n`, 'unterminated'
  ])),
  ['a last boundary within a line of the preamble',
    'x--b--\r\n\n--b--\r\n--b\r\nA: 1\r\n\r\none\r\n--b--\r\n', ['A: 1', 'one'], 'end'],
  ['a last boundary at the end of the first line, and no more', '\n--b--', 'unterminated'],
  ['a preamble and the last boundary', 'text\r\n--b--', 'end'],
  ['too many blanks behind a boundary within a line', `x--b${' '.repeat(256)}`, 'boundary.invalid'],
  ...['\0', '\0\0\0', '\0'.repeat(600), ' \0\r\n', '\0text\r\n--b\r\n'].map((after) => [
    `NUL behind the last boundary, as clients that fill up a block write it: ${JSON.stringify(after.slice(0, 9))}`,
    content('one').replace('--b--\r\n', `--b--${after}`), ['A: 1', 'one'], 'end'
  ]),
  ['NUL behind the last boundary right behind a header', '--b\r\nA: 1\r\n\r\n--b--\0\0', ['A: 1', ''], 'end'],
  ['NUL behind another boundary within data', content('\r\n--b\0\r\n--b-\0\r\n--b \0'),
    ['A: 1', '\r\n--b\0\r\n--b-\0\r\n--b \0'], 'end'],
  ['an epilogue', content('one') + 'and\r\n--b\r\nmore', ['A: 1', 'one'], 'end'],
  ['white space after boundaries', '--b  \r\nA: 1\r\n\r\none\r\n--b\t \r\nB: 2\r\n\r\ntwo\r\n--b-- \t \r\n',
    ['A: 1', 'one'], ['B: 2', 'two'], 'end'],
  ['a longer boundary within data', content('\r\n--bX\r\n'), ['A: 1', '\r\n--bX\r\n'], 'end'],
  ['a boundary, white space and dashes within data', content('\r\n--b --\r\n'), ['A: 1', '\r\n--b --\r\n'], 'end'],
  ['a boundary and a CR alone within data', content('\r\n--b\r\r\n--b \rx'), ['A: 1', '\r\n--b\r\r\n--b \rx'], 'end'],
  ['a boundary right behind a header, which ends a part without content', content('--b\r\nB: 2\r\n\r\ntwo'),
    ['A: 1', ''], ['B: 2', 'two'], 'end'],
  ['a boundary right behind each header', '--b\r\nA: 1\r\n\r\n--b\r\n\r\n--b\r\nB: 2\r\n\r\n--b--', ['A: 1', ''],
    ['', ''], ['B: 2', ''], 'end'],
  ['the last boundary right behind a header, without a line end', '--b\r\nA: 1\r\n\r\n--b-- ', ['A: 1', ''], 'end'],
  [
    'too many blanks after a boundary right behind a header', `--b\r\nA: 1\r\n\r\n--b${' '.repeat(256)}`,
    'boundary.invalid'
  ],
  ['a longer boundary right behind a header as data', content('--bX\r\n--b-\r\n'), ['A: 1', '--bX\r\n--b-\r\n'], 'end'],
  ['a longer last boundary right behind a header as data', content('--b--X'), ['A: 1', '--b--X'], 'end'],
  ['a part that is cut in a boundary right behind its header', '--b\r\nA: 1\r\n\r\n--', 'unterminated'],
  ['a header of the greatest length', `--b\r\n${'x'.repeat(100)}\r\n\r\none\r\n--b--`, ['x'.repeat(100), 'one'], 'end'],
  ['a header that is too long', `--b\r\n${'x'.repeat(101)}\r\n\r\none\r\n--b--`, 'header.too.large'],
  ['a header that is too long after another', `--b\r\nA: 1\r\n\r\none\r\n--b\r\n${'x'.repeat(200)}`, ['A: 1', 'one'],
    'header.too.large'],
  ['a header of the greatest length without its end', `--b\r\n${'x'.repeat(100)}\r\n\r`, 'unterminated'],
  ['a header that is too long without its end', `--b\r\n${'x'.repeat(104)}`, 'header.too.large'],
  ['a last boundary in place of a header', '--b\r\n--b--', 'unterminated'],
  ['a header without its end', '--b\r\nA: 1\r\n--b--\r\n', 'unterminated'],
  ['as many blanks after a boundary as are allowed', `--b${' '.repeat(254)}\r\nA: 1\r\n\r\none\r\n--b--`,
    ['A: 1', 'one'], 'end'],
  ['one blank too many after a boundary', `--b${' '.repeat(255)}\r\nA: 1\r\n\r\none\r\n--b--`, 'boundary.invalid'],
  ['too many blanks after a boundary within data', content(`\r\n--bX\r\n--b${' '.repeat(256)}X`), 'boundary.invalid'],
  ['many blanks after a letter of the boundary', content(`\r\n--bX\r\n-b${' '.repeat(300)}\r\n`),
    ['A: 1', `\r\n--bX\r\n-b${' '.repeat(300)}\r\n`], 'end'],
  ['no bytes', '', 'unterminated'],
  ['a part without its end', '--b\r\nA: 1\r\n\r\none', 'unterminated'],
  ['a part without a last boundary', '--b\r\nA: 1\r\n\r\none\r\n--b', 'unterminated'],
  ['a last boundary and a third dash', '--b\r\nA: 1\r\n\r\none\r\n--b---', 'unterminated'],
  ['a last boundary and a CR alone', '--b\r\nA: 1\r\n\r\none\r\n--b--\r', 'unterminated']
]

describe('scanner', () => {
  it('refuses headers that are together over twice the maximum and what each part may have on average', () => {
    const part = (bytes) => `--b\r\n${'a'.repeat(bytes)}\r\n\r\n`
    for (const [maxPerPart, lengths, outcome] of [
      [0, [20, 20], 'end'],
      [0, [20, 20, 1], 'headers.too.large'],
      [5, [20, 20, 15], 'end'],
      [5, [20, 20, 16], 'headers.too.large'],
      [5, Array(20).fill(5), 'end']
    ]) {
      const body = Buffer.from(`${lengths.map(part).join('\r\n')}\r\n--b--`)
      assert.equal(scan([body], { maxHeader: 20, maxPerPart }).at(-1), outcome, String(lengths))
    }
  })

  for (const [what, body, ...expected] of rows) {
    it(`reads ${what}, however it arrives`, () => {
      for (const Class of [Scanner, SlowScanner]) {
        const read = (pieces) => scan(pieces, { Scanner: Class })
        for (const [way, pieces] of Object.entries(arrivals(Buffer.from(body)))) {
          assert.deepEqual(read(pieces), expected, way)
        }
        for (let place = 0; place <= body.length; place++) {
          assert.deepEqual(read(cut(Buffer.from(body), [place])), expected, `cut at ${place}`)
        }
      }
    })
  }

  it('reads content that looks like the begin of a boundary before each large chunk', () => {
    const filler = 'x'.repeat(3000)
    let ends = 0
    const looks = ['\r', '\r\n', '\r\n-', '\r\n--', '\r\n--bound', '\r\n--boundary', '\r\r\n--', '\r\n--b\r\n-']
    const nexts = ['', '\n', '\r', '\r\n--boundar', '-', '--boundary', '\n--boundary', '\r\n--boundary', 'ary', '\r\n']
    for (const [before, next] of looks.flatMap((look) => nexts.map((next) => [look, next]))) {
      for (const isContent of [true, false]) {
        const head = Buffer.from(`${isContent ? '--boundary\r\nA: 1\r\n\r\n' : ''}${before}`)
        const rest = Buffer.from(`${next}${filler}${isContent ? '' : '\r\n--boundary\r\n\r\n'}\r\n--boundary--\r\n`)
        const whole = scan([Buffer.concat([head, rest])], { boundary: 'boundary' })
        assert.deepEqual(scan([head, rest], { boundary: 'boundary' }), whole, JSON.stringify([before, next]))
        ends += whole.at(-1) === 'end' ? 1 : 0
      }
    }
    assert.equal(ends, 151) // the others have a boundary at the cut, and no header or no line end
  })

  it('finds a boundary that begins in bytes that wait for the next large chunk', () => {
    const scanner = new Scanner('boundary', 100, assert.fail)
    scanner.write(Buffer.from('--boundary\r\nA: 1\r\n\r\nab\r\n'))
    assert.deepEqual([scanner.next(), scanner.next(), scanner.next(), scanner.waitingBytes], [HEADER, CONTENT, null, 2])
    scanner.write(Buffer.from(`--boundary--\r\n${'x'.repeat(3000)}`))
    assert.deepEqual([scanner.next(), scanner.next(), scanner.endBody()], [PART_END, null, null])
  })

  it('finds one thing at a time, so that the form can wait after each', () => {
    const scanner = new Scanner('b', 100, assert.fail)
    scanner.write(Buffer.from('--b\r\nA: 1\r\n\r\nab\r\n--b\r\nA: 2\r\n\r\nc'))
    const seen = []
    for (let what; (what = scanner.next()) !== null;) seen.push([what, scanner.waitingBytes])
    assert.deepEqual(seen, [[HEADER, 18], [CONTENT, 16], [PART_END, 11], [HEADER, 1], [CONTENT, 0]])
    scanner.write(Buffer.from('\r\n--b--'))
    assert.deepEqual([scanner.next(), scanner.endBody(), scanner.endBody(), scanner.waitingBytes],
      [null, PART_END, null, 0])
  })

  it('distinguishes a cut body from a complete one', () => {
    const body = content('one')
    for (let length = 0; length <= body.length; length++) {
      const isComplete = length === body.length || length === body.length - 2
      assert.equal(scan([Buffer.from(body.slice(0, length))]).at(-1), isComplete ? 'end' : 'unterminated',
        `${length} bytes`)
    }
  })

  it('needs nothing of a chunk that it has given whole, whose memory the app may transfer', () => {
    for (const Class of [Scanner, SlowScanner]) {
      const scanner = new Class('b', 100, (type) => { throw new Error(type) })
      for (const piece of ['--b\r\nA: 1\r\n\r\n', 'x'.repeat(100)]) {
        scanner.write(Buffer.from(new TextEncoder().encode(piece).buffer))
        scanner.next()
      }
      const { found, start, end } = scanner
      assert.deepEqual([end - start, scanner.next()], [100, null])
      structuredClone(found.buffer, { transfer: [found.buffer] })
      assert.equal(scanner.waitingBytes, 0)
      scanner.write(Buffer.from('y\r\n--b--\r\n'))
      assert.deepEqual([scanner.next(), scanner.found.latin1Slice(scanner.start, scanner.end)], [CONTENT, 'y'])
      assert.equal(scanner.next(), PART_END)
    }
  })

  it('compares no range that goes on behind the Buffer that compares, which Deno refuses', () => {
    const { compare } = Buffer.prototype
    const checking = function (other, start, end, ...range) {
      assert.ok(end <= this.length, `${end} of ${this.length} bytes`)
      return compare.call(this, other, start, end, ...range)
    }
    within(Buffer.prototype, { compare: checking }, () => {
      for (const pieces of Object.values(arrivals(Buffer.from(content(`${'x'.repeat(100)}\r\n-`.repeat(9)))))) {
        assert.equal(scan(pieces).at(-1), 'end')
      }
    })
  })

  it('searches each byte of a header that comes byte by byte a few times', () => {
    const { indexOf } = Buffer.prototype
    let bytes = 0
    const counting = function (what, from) {
      bytes += this.length - from
      return indexOf.call(this, what, from)
    }
    const pieces = Array.from(`--b\r\n${'x'.repeat(1000)}\r\n\r\none\r\n--b--`, (byte) => Buffer.from(byte))
    within(Buffer.prototype, { indexOf: counting }, () => scan(pieces, { maxHeader: 1000 }))
    assert.ok(bytes < 10_000, `${bytes} bytes`)
  })

  it('takes time that is linear in the blanks of a value, if the boundary ends in one', () => {
    const text = `\r\n--b X${' '.repeat(2 ** 20)}X`
    assert.deepEqual(
      scan([Buffer.from(content(text).replaceAll('--b\r', '--b \r').replace(/--b--/, '--b --'))], { boundary: 'b ' }),
      [['A: 1', text], 'end']
    )
  })

  it('reads a boundary of any length', () => {
    for (const length of [252, 253, 508]) {
      const boundary = 'b'.repeat(length)
      const body = Buffer.from(content('\r\n--bX').replaceAll('--b', `--${boundary}`))
      const act = () => scan([body], { boundary })
      const found = vm.runInNewContext('act()', { act }, { timeout: 10_000 }) // ends what would go on for ever
      assert.deepEqual(found, [['A: 1', `\r\n--${boundary}X`], 'end'])
    }
  })

  it('reads the first boundary line of any preamble, or refuses one without CRLF, at any cuts', () => {
    const piece = fc.constantFrom('\r', '\n', '\r\n', '-', '--', 'b', '--b', '--bX', '--b--', '--b-- ', ' ', 'x',
      '\xEF\xBB\xBF', '--b\r\n', '\r\n--b--\r\n', '\r\n--b--\0')
    const places = fc.array(fc.nat(), { maxLength: 12 })
    fc.assert(fc.property(fc.array(piece, { maxLength: 10 }), places, (pieces, places) => {
      const body = `${pieces.join('')}--b\r\nA: 1\r\n\r\none\r\n--b--`
      const { index, 0: line } = /--b[\t ]*(?:\r\n|[\r\n])|(?:^|\r\n)--b--[\t ]*(?:\r\n|\0)/.exec(body)
      const rest = body.slice(index)
      const isLast = line.includes('--b--')
      const isBare = !line.endsWith('\r\n') && !isLast // else its part would be lost
      const expected = isLast ? ['end'] : isBare ? ['unterminated'] : scan([Buffer.from(rest, 'latin1')])
      const bytes = Buffer.from(body, 'latin1')
      const cuts = places.map((place) => place % (bytes.length + 1)).sort((a, b) => a - b)
      for (const Class of [Scanner, SlowScanner]) {
        assert.deepEqual(scan(cut(bytes, cuts), { Scanner: Class }), expected)
        assert.deepEqual(scan(Array.from(bytes, (byte) => Buffer.of(byte)), { Scanner: Class }), expected)
      }
    }), { numRuns: 500 })
  })

  it('reads back any parts, at any cuts', () => {
    const boundaries = ['ab', 'aba', '--', "'a", 'a b']
    const bytesOf = (boundary) => fc.array(
      fc.constantFrom('\r', '\n', '-', '--', 'a', 'ab', ' ', '\t', '\r\n', '\r\n--',
        ...['', 'X', '-', '--X', ' \r', '\r\n'].flatMap((end) =>
          [`\r\n--${boundary}${end}`, `\r\n--${boundary.slice(0, -1)}${end}`])),
      { maxLength: 12 }
    )
      .map((pieces) => pieces.join(''))
      .filter((text) => !new RegExp(`\r\n--${boundary}(?:--)?[\\t ]*\r\n`).test(`\r\n${text}\r\n`))
    const forms = fc.constantFrom(...boundaries).chain((boundary) =>
      fc.tuple(fc.constant(boundary), fc.array(bytesOf(boundary), { maxLength: 4 })))
    const places = fc.array(fc.nat(), { maxLength: 12 })
    fc.assert(fc.property(forms, places, ([boundary, contents], places) => {
      const body =
        Buffer.from(`${contents.map((text) => `--${boundary}\r\nA: 1\r\n\r\n${text}\r\n`).join('')}--${boundary}--`)
      const pieces = cut(body, places.map((place) => place % (body.length + 1)).sort((a, b) => a - b))
      assert.deepEqual(scan(pieces, { boundary }), [...contents.map((text) => ['A: 1', text]), 'end'])
    }), { numRuns: 500 })
  })
})
