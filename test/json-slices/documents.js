'use strict'

// Random documents, cut anywhere, have the same value or error as with
// JSON.parse. FUZZ_RUNS=1000000 draws more of them, FUZZ_SEED others.

const assert = require('node:assert/strict')
const fc = require('fast-check')
const parse = require('../../lib/json-slices/parse-chunks')
const { TextChunks } = require('../../lib/json-slices/utf8')
const { reference } = require('../support/json-reference')
const isSame = require('../support/same')

const RUNS = Number(process.env.FUZZ_RUNS) || 400
const SEED = Number(process.env.FUZZ_SEED) || 1
const PIECE = 32 * 1024 // of a text, and of the bytes that are parsed at a time
const ENDLESS_TASK = { pause: async () => {} } // one slice without end

const PARTS = [
  '', 'a', 'key', '__proto__', 'constructor', 'prototype', 'toString', 'é', '日本', '😀', '\\n', '\\"', '\\\\', '\\/',
  '\\\\\\"',
  '\\u0041', '\\ud83d\\ude00', '\\ud83d', '\\ude00', '\\u005f_proto__', '\\u0000', '\u2028', '\ufeff', '0', '1', '42',
  '4294967295', '-1', '[', '}', ',', ':',
  'x'.repeat(40), 'long '.repeat(20), '\\\\'.repeat(20)
]
const SURROGATES = ['\ud83d', '\ude00', '\\\ud83d', '\\\\\ude00', '\ud83d\ud83d\ude00']
const NUMBERS = ['0', '-0', '1', '42', '-1.5', '1e3', '1E-7', '0.1', '123456789012345678901', '9007199254740993',
  '1e999', '-1e999', '5e-324', '-0.0', '0e5']
const BLANKS = [' ', '\n', '\r\n', '\r', '\t', '   ', ' \n\t ', '\n\n']
const JUNK = [
  '"', '\\', '[', ']', '{', '}', ',', ':', '0', '1', '-', '.', 'e', '+', '/', 't', 'true', 'null', 'NaN', ' ', '\n',
  'x', '\u0001', '\0', 'é', '\u00a0',
  '\ufeff', '\u2028', '😀', '""', '"a":', '[]', ',,', '\\u', '\\x', '\\u12'
]
const WRONG_BYTES = [0x80, 0xBF, 0xC0, 0xC3, 0xE2, 0xED, 0xA0, 0xF0, 0xF4, 0xF8, 0xFF]

const oneOf = (...choices) => fc.oneof({ withCrossShrink: true },
  ...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })))
const mostly = (usual, unusual, odds = 4) => oneOf([odds, fc.constant(usual)], [1, unusual])
const place = fc.integer({ min: 0, max: 999 }) // thousandths of a length
const at = (permille, length) => Math.floor(permille * (length + 1) / 1000)
const joined = (...parts) => fc.tuple(...parts).map((all) => all.join(''))

const blanks = mostly('', fc.constantFrom(...BLANKS))
const string = fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 3 }).map((parts) => `"${parts.join('')}"`)
const leaf = oneOf([1, fc.constantFrom('null', 'true', 'false')], [1, fc.constantFrom(...NUMBERS)], [2, string])

const { value } = fc.letrec((tie) => {
  const element = joined(blanks, tie('value'), blanks)
  const property = joined(blanks, string, blanks, fc.constant(':'), element)
  const container = (open, item, close) => oneOf(
    [1, blanks.map((blank) => `${open}${blank}${close}`)],
    [4, fc.array(item, { minLength: 1, maxLength: 4 }).map((items) => `${open}${items.join(',')}${close}`)]
  )
  return {
    value: fc.oneof({ maxDepth: 6, withCrossShrink: true },
      { weight: 3, arbitrary: leaf },
      { weight: 3, arbitrary: container('[', element, ']') },
      { weight: 4, arbitrary: container('{', property, '}') })
  }
})

const LEVELS = [['[', ']'], ['{"a":', '}'], ['[1,', ',[]]'], ['{"":[', ',2]}'], [' [ ', ' ] ']]
const nested = fc.tuple(fc.array(fc.constantFrom(...LEVELS), { maxLength: 300, size: 'max' }), leaf)
  .map(([levels, inner]) => levels.reduceRight((text, [open, close]) => open + text + close, inner))

const mutation = (junk) => fc.record({
  kind: fc.constantFrom('delete', 'delete', 'truncate', 'insert', 'insert', 'insert', 'insert', 'copy'),
  at: place,
  from: place,
  length: fc.integer({ min: 1, max: 8 }),
  junk: fc.constantFrom(...junk)
})
const MUTATIONS = {
  delete: (text, { length }, at) => text.slice(0, at) + text.slice(at + Math.min(length, 3)),
  truncate: (text, mutation, at) => text.slice(0, at),
  insert: (text, { junk }, at) => text.slice(0, at) + junk + text.slice(at),
  copy: (text, { length }, at, from) => text.slice(0, at) + text.slice(from, from + length) + text.slice(at)
}
const mutate = (text,
  mutation) => MUTATIONS[mutation.kind](text, mutation, at(mutation.at, text.length), at(mutation.from, text.length))

/** Valid JSON, and JSON that is broken in some places. */
const text = fc.tuple(
  joined(blanks, oneOf([99, value], [1, nested]), blanks),
  oneOf([1, fc.constant([])], [1, fc.array(mutation(JUNK), { minLength: 1, maxLength: 4 })])
).map(([valid, mutations]) => mutations.reduce(mutate, valid))

/** Sizes of chunks: mostly one, and mostly a small one; now and then every one. */
const cuts = oneOf([25, fc.integer({ min: 1, max: 4 })], [25, place.map((permille) => ({ permille }))],
  [1, fc.constant('all')])

function sizesOf (cut, length) {
  if (cut === 'all' && length <= 200) return Array.from({ length }, (_, index) => index + 1)
  return [cut === 'all' ? 1 : cut.permille === undefined ? cut : 1 + at(cut.permille, length)]
}

const bytes = fc.record({
  text,
  wrong: mostly([], fc.array(fc.tuple(place, fc.constantFrom(...WRONG_BYTES)), { minLength: 1, maxLength: 4 }), 19),
  cut: cuts,
  longStringLength: fc.constantFrom(undefined, 1, 2, 5, 20, 100)
}).map(({ text, wrong, cut, longStringLength }) => {
  const source = Buffer.from(text)
  if (source.length > 0) {
    for (const [permille, byte] of wrong) source[Math.floor(permille * source.length / 1000)] = byte
  }
  return { source, sizes: sizesOf(cut, source.length), longStringLength }
})

/** Texts are parsed in pieces: with the filler before it, a piece ends in the middle of this text. */
const longText = fc.record({
  text,
  surrogate: mostly(null, mutation(SURROGATES), 1),
  before: place, // the end of the piece, in the text
  unit: oneOf([1, fc.constant(' ')], [1, fc.constantFrom('x', 'é', '\\n', '\\\\', '日', '\ud83d', '😀')]),
  inArray: fc.boolean(),
  longStringLength: fc.constantFrom(undefined, 1, 5, 100)
}).map(({ text, surrogate, before, unit, inArray, longStringLength }) => {
  const rare = surrogate === null ? text : mutate(text, surrogate)
  const size = Math.max(0, PIECE - at(before, Math.min(rare.length, 1000) + 40))
  const filler = unit === ' ' ? unit.repeat(size) : `"${unit.repeat(size)}`.slice(0, size)
  return { source: unit !== ' ' && inArray ? `[${filler}",${rare}]` : filler + rare, sizes: [PIECE], longStringLength }
})

async function outcomeOf (act) {
  try {
    return { value: await act() }
  } catch (error) {
    return { error }
  }
}

function chunksOf (source, size) {
  if (typeof source === 'string') return new TextChunks(source)
  const list = []
  for (let at = 0; at < source.length; at += size) list.push(source.subarray(at, at + size))
  return list
}

function assertSame (ours, theirs) {
  if (ours.error === undefined && theirs.error === undefined) return assert.ok(isSame(ours.value, theirs.value))
  assert.deepEqual([ours.error?.constructor, ours.error?.message], [theirs.error?.constructor, theirs.error?.message])
}

describe('slices: random documents', function () {
  this.timeout(120_000 + RUNS)

  for (const [what, documents, runs] of [['in chunks of bytes', bytes, RUNS],
    ['as a text in several pieces', longText, RUNS / 10]]) {
    it(`have the value, or the error, of JSON.parse: ${what}`, () =>
      fc.assert(fc.asyncProperty(documents, async ({ source, sizes, longStringLength }) => {
        const whole = String(source)
        const theirs = await outcomeOf(() => reference(whole))
        for (const size of sizes) {
          assertSame(await outcomeOf(() => parse(chunksOf(source, size), ENDLESS_TASK, { longStringLength })), theirs)
        }
      }), { numRuns: runs, seed: SEED }))
  }
})
