'use strict'

// JSON whose keys have all kinds of escapes, in objects that begin with the same
// keys; and what makes an engine confuse those keys.

const { randomInt, pick } = require('../../tools/random')

const CHARACTERS = [
  ...'\\\\\\""/ub0ec9dn1at{:,', '\n', '\t', '\b', '\f', '\r', '\0', '\x1f', '\x7f', 'é', 'ÿ', '日', '\u2028', '\ud83d',
  '\ude00'
]
const KEYS = [
  '', 'a', 'b', 'id', '0', '1', '42', '\\', '"', '\\u', '\\u00e9', '\\\\', '\n', '__proto__', 'constructor',
  'toString', '\x7f0', '\x7f'
]
const SHORT = { '\b': '\\b', '\f': '\\f', '\n': '\\n', '\r': '\\r', '\t': '\\t', '"': '\\"', '\\': '\\\\', '/': '\\/' }
const LEAVES = [
  '0', '-0', '1.5', '1e400', 'true', 'null', '"\\n"', '"\\""', '"a\\\\"', '":"', '"}"', '"\\":"', '"é"', '[]', '{}'
]
const BLANKS = ['', '', '', '', '', '', ' ', '\n', '\r\t']
const SHAPES = 30 // lists of keys that objects begin with
const LONGEST = 4 // keys of an object
const DEPTH = 3

/** Returns what draws a text, and one of the same shape: an engine that parses it first may confuse the keys. */
function createTexts (random) {
  const shapes = Array.from({ length: SHAPES }, () => [])
  let text, poison

  return () => {
    if (randomInt(50, random) === 0) shapes[randomInt(SHAPES, random)] = []
    text = poison = ''
    writeValue(DEPTH)
    return { text, poison }
  }

  function write (part, other = part) {
    text += part
    poison += other
  }

  function writeValue (depth) {
    const kind = randomInt(depth === DEPTH ? 4 : 12, random)
    if (depth === 0 || kind > 3) write(pick(LEAVES, random))
    else if (kind === 3) writeList('[', ']', Array.from({ length: randomInt(4, random) }), () => writeValue(depth - 1))
    else writeObject(depth)
  }

  function writeObject (depth) {
    const shape = pick(shapes, random)
    const keys = shape.slice(0, randomInt(LONGEST + 1, random))
    for (let missing = randomInt(LONGEST, random) + 1 - keys.length; missing > 0; missing--) keys.push(drawKey())
    if (keys.length > shape.length) shape.splice(0, LONGEST, ...keys)
    writeList('{', '}', keys, (key) => {
      writeKey(key)
      write(`${blank()}:${blank()}`)
      writeValue(depth - 1)
    })
  }

  function writeList (open, close, items, writeItem) {
    write(open)
    items.forEach((item, index) => {
      write(`${index === 0 ? '' : ','}${blank()}`)
      writeItem(item)
      write(blank())
    })
    write(close)
  }

  /** V8 takes as many characters of the source as the key has for the key. */
  function writeKey (key) {
    const source = Array.from({ length: key.length }, (_, index) => spell(key[index])).join('')
    write(`"${source}"`, JSON.stringify(source.slice(0, key.length)))
  }

  function drawKey () {
    if (randomInt(3, random) === 0) return pick(KEYS, random)
    return Array.from({ length: 1 + randomInt(6, random) }, () => pick(CHARACTERS, random)).join('')
  }

  function spell (character) {
    const way = randomInt(4, random)
    if (way === 0) return `\\u${hex(character.charCodeAt(0))}`
    const needsEscape = character === '"' || character === '\\' || character < ' '
    if (!needsEscape && way !== 1) return character
    return SHORT[character] ?? (needsEscape ? `\\u${hex(character.charCodeAt(0))}` : character)
  }

  function hex (code) {
    const digits = code.toString(16).padStart(4, '0')
    return randomInt(2, random) === 0 ? digits : digits.toUpperCase()
  }

  function blank () {
    return pick(BLANKS, random)
  }
}

module.exports = createTexts
