'use strict'

// Documents of every shape: valid, broken in some places, in UTF-8 or in what
// is none, and the places at which they are cut.

const createChance = require('./chance')

const PIECE = 32 * 1024 // of a text, and of the bytes that are parsed at a time

const PARTS = [
  '', 'a', 'key', '__proto__', 'constructor', 'prototype', 'toString', 'é', '日本', '😀', '\\n', '\\"', '\\\\', '\\/', '\\\\\\"',
  '\\u0041', '\\ud83d\\ude00', '\\ud83d', '\\ude00', '\\u005f_proto__', '\\u0000', '\u2028', '\ufeff', '0', '1', '42', '4294967295', '-1', '[', '}', ',', ':',
  'x'.repeat(40), 'long '.repeat(20), '\\\\'.repeat(20)
]
const SURROGATES = ['\ud83d', '\ude00', '\\\ud83d', '\\\\\ude00', '\ud83d\ud83d\ude00']
const NUMBERS = ['0', '-0', '1', '42', '-1.5', '1e3', '1E-7', '0.1', '123456789012345678901', '9007199254740993', '1e999', '-1e999', '5e-324', '-0.0', '0e5']
const BLANKS = [' ', '\n', '\r\n', '\r', '\t', '   ', ' \n\t ', '\n\n']
const JUNK = [
  '"', '\\', '[', ']', '{', '}', ',', ':', '0', '1', '-', '.', 'e', '+', '/', 't', 'true', 'null', 'NaN', ' ', '\n', 'x', '\u0001', '\0', 'é', '\u00a0',
  '\ufeff', '\u2028', '😀', '""', '"a":', '[]', ',,', '\\u', '\\x', '\\u12'
]
const WRONG_BYTES = [0x80, 0xBF, 0xC0, 0xC3, 0xE2, 0xED, 0xA0, 0xF0, 0xF4, 0xF8, 0xFF]
const LONGS = [1, 2, 5, 20, 100, undefined]

/**
 * @typedef {object} Document
 * @property {string | Buffer} source
 * @property {number[]} sizes of the chunks; for each of these, one time
 * @property {number} [long] option longStringLength of SliceParser
 */

/**
 * @param {number} seed
 * @returns {Document} the same for the same seed
 */
function generate (seed) {
  const chance = createChance(seed)
  const text = createText(chance)
  const long = chance.pick(LONGS)
  if (chance.oneIn(10)) return { source: pad(chance, text), sizes: [PIECE], long }
  const source = chance.oneIn(20) ? spoil(chance, Buffer.from(text)) : Buffer.from(text)
  return { source, sizes: sizesOf(chance, source.length), long }
}

/** Mostly one size, and mostly a small one; now and then every one. */
function sizesOf (chance, length) {
  if (length <= 200 && chance.oneIn(50)) return Array.from({ length }, (_, index) => index + 1)
  return [1 + chance.below(chance.oneIn(2) ? 4 : length + 1)]
}

function createText (chance) {
  const build = chance.oneIn(100) ? nested : value
  let text = blanks(chance) + build(chance, chance.below(7)) + blanks(chance)
  if (chance.oneIn(2)) {
    for (let left = chance.below(4); left >= 0; left--) text = mutate(chance, text)
  }
  return text
}

/** A text is cut where so much of it is done: that shall be in the middle of this one. */
function pad (chance, text) {
  const rare = chance.oneIn(2) ? text : mutate(chance, text, SURROGATES)
  const size = Math.max(0, PIECE - chance.below(Math.min(rare.length, 1000) + 40))
  const filler = chance.oneIn(2) ? ' '.repeat(size) : `"${chance.pick(['x', 'é', '\\n', '\\\\', '日', '\ud83d', '😀']).repeat(size)}`.slice(0, size)
  return chance.pick([filler.startsWith('"') ? `[${filler}",${rare}]` : filler + rare, filler + rare])
}

function value (chance, depth) {
  const kind = chance.below(10)
  if (depth <= 0 || kind < 3) return leaf(chance)
  const children = Array.from({ length: chance.below(5) }, () => {
    const child = blanks(chance) + value(chance, depth - 1) + blanks(chance)
    return kind < 6 ? child : `${blanks(chance)}${string(chance)}${blanks(chance)}:${child}`
  })
  const inner = children.length === 0 ? blanks(chance) : children.join(',')
  return kind < 6 ? `[${inner}]` : `{${inner}}`
}

function leaf (chance) {
  const kind = chance.below(4)
  if (kind < 2) return string(chance)
  return kind === 2 ? chance.pick(NUMBERS) : chance.pick(['true', 'false', 'null'])
}

function string (chance) {
  const parts = Array.from({ length: 1 + chance.below(3) }, () => chance.pick(PARTS))
  return `"${parts.join('')}"`
}

function nested (chance) {
  const levels = Array.from({ length: chance.below(300) }, () => chance.pick([['[', ']'], ['{"a":', '}'], ['[1,', ',[]]'], ['{"":[', ',2]}'], [' [ ', ' ] ']]))
  return `${levels.map(([open]) => open).join('')}${leaf(chance)}${levels.reverse().map(([, close]) => close).join('')}`
}

function blanks (chance) {
  return chance.oneIn(5) ? chance.pick(BLANKS) : ''
}

function mutate (chance, text, junk = JUNK) {
  const at = chance.below(text.length + 1)
  const kind = chance.below(8)
  if (kind < 2) return text.slice(0, at) + text.slice(at + 1 + chance.below(3))
  if (kind === 2) return text.slice(0, at)
  if (kind < 7) return text.slice(0, at) + chance.pick(junk) + text.slice(at)
  const from = chance.below(text.length + 1)
  return text.slice(0, at) + text.slice(from, from + chance.below(8)) + text.slice(at)
}

function spoil (chance, bytes) {
  for (let left = chance.below(4); left >= 0 && bytes.length > 0; left--) bytes[chance.below(bytes.length)] = chance.pick(WRONG_BYTES)
  return bytes
}

module.exports = generate
