'use strict'

// Draws JSON texts, most of them arrays, in pieces.

const fc = require('fast-check')
const { int, joined, mostly, oneOf, record, upTo } = require('../fuzz/generate/draw')
const { array, enclosed, member, spaced, value } = require('../fuzz/generate/json')

const KEYS = ['a', 'é', '__proto__', 'a/b', 'm~n', '']
const JUNK = [
  'x', '"', ',', ']', '}', '[', '{', '\\', ':', '\n', '\0', ' ', '1', '-', '.', 'e', 'é', '😀', 'tru', '\ufeff', '//'
]

const permille = int(0, 999)
const records = enclosed('[', 20, joined('{"id":', value, '}'), ']')
const items = oneOf([6, array(5)], [3, array(60)], [5, records], [1, value])

/** An object on the way to the array, which may have its key twice. */
const level = record({
  key: KEYS,
  isEscaped: fc.boolean(),
  before: upTo(2, member),
  after: upTo(2, member),
  again: mostly(null, value, 20)
})

function wrap (inner, { after, again, before, isEscaped, key }) {
  const name = isEscaped
    ? `"${Array.from(key, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`
    : JSON.stringify(key)
  const own = [inner, ...again === null ? [] : [again]].map((text) => `${name}:${text}`)
  return `{${[...before, ...own, ...after].join(',')}}`
}

const damage = record({
  at: permille,
  junk: mostly('', JUNK, 1),
  length: oneOf([19, [0, 1, 1, 2]], [1, Infinity]) // of what it replaces
})

const placeIn = ({ length }, at) => Math.floor((length + 1) * at / 1000)

/**
 * `cuts` are where the pieces begin, `sliceBytes` those of the items that are parsed together, and `most` of the items
 * behind each are taken with it, as lists take them.
 */
module.exports = record({
  mark: mostly('', '\ufeff', 9),
  levels: mostly([], upTo(3, level), 2),
  items: spaced(items),
  damage: mostly([], upTo(2, damage, 1), 1),
  wrong: mostly(null, record({ at: permille, byte: int(128, 255) }), 9), // is no UTF-8
  cuts: oneOf([3, upTo(5, permille)], [1, 'each']),
  sliceBytes: [16, 64, 256, 16384],
  most: [0, 1, 1000]
}).map(({ cuts, damage, items, levels, mark, wrong, ...more }) => {
  const text = damage.reduce((text, { at, junk, length }) => {
    const place = placeIn(text, at)
    return text.slice(0, place) + junk + text.slice(place + length)
  }, levels.reduceRight(wrap, items))
  const bytes = Buffer.from(mark + text)
  if (wrong !== null && bytes.length > 0) bytes[placeIn(bytes, wrong.at) % bytes.length] = wrong.byte
  const places = cuts === 'each' ? bytes.keys() : cuts.map((at) => placeIn(bytes, at)).sort((one, other) => one - other)
  return { bytes, cuts: [...places], path: levels.map(({ key }) => key), ...more }
})
