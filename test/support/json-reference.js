'use strict'

// A plain JSON.parse, for texts that the engine may read wrong.

const TOKEN = /[ \t\n\r]*(?:([[\]{},:])|("(?:[^"\\\0-\x1f]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null))/y // eslint-disable-line no-control-regex
const WORDS = { true: true, false: false, null: null }
const ESCAPES = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

/**
 * @param {string} text
 * @returns {any}
 * @throws {SyntaxError}
 */
function parse (text) {
  let at = 0
  let mark, string, number, word
  next()
  const value = readValue()
  if (mark !== 'end') fail()
  return value

  function next () {
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    if (match === null) {
      if (/[^ \t\n\r]/.test(text.slice(at))) fail()
      mark = 'end'
    } else {
      [, mark, string, number, word] = match
      at = TOKEN.lastIndex
    }
  }

  function readValue () {
    if (mark === '[') return readArray()
    if (mark === '{') return readObject()
    if (mark !== undefined) fail()
    const value = string !== undefined ? unescape(string) : number !== undefined ? Number(number) : WORDS[word]
    next()
    return value
  }

  function readArray () {
    const array = []
    next()
    if (mark !== ']') {
      array.push(readValue())
      while (mark === ',') {
        next()
        array.push(readValue())
      }
    }
    expect(']')
    return array
  }

  function readObject () {
    const object = {}
    next()
    if (mark !== '}') {
      readProperty(object)
      while (mark === ',') {
        next()
        readProperty(object)
      }
    }
    expect('}')
    return object
  }

  function readProperty (object) {
    if (mark !== undefined || string === undefined) fail()
    const key = unescape(string)
    next()
    expect(':')
    Object.defineProperty(object, key, { value: readValue(), writable: true, enumerable: true, configurable: true })
  }

  function expect (wanted) {
    if (mark !== wanted) fail()
    next()
  }
}

function unescape (string) {
  return string.slice(1, -1).replace(/\\(?:u(....)|(.))/g, (match, code, letter) => {
    return code === undefined ? ESCAPES[letter] ?? letter : String.fromCharCode(parseInt(code, 16))
  })
}

function fail () {
  throw new SyntaxError('not JSON')
}

module.exports = parse
