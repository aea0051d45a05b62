'use strict'

// Forms through the middleware, with the options that take other ways through
// lib/types/urlencoded.js, against body-parser on the same bytes.

const bodyParser = require('body-parser')
const urlencoded = require('../../../lib/types/urlencoded')
const { outcomeOf } = require('../outcome')
const { mustEqual } = require('../wrong-answer')

const CHARSETS = ['', '; charset=iso-8859-1', '; charset=utf-8', '; charset="ISO-8859-1"']

/** By the bits of the choice. */
function optionsOf (choice) {
  return {
    extended: (choice & 1) !== 0,
    charsetSentinel: (choice & 2) !== 0,
    interpretNumericEntities: (choice & 4) !== 0,
    ...(choice & 8 ? { parameterLimit: 3 } : {}),
    ...(choice & 16 ? { depth: 1 } : {}),
    ...(choice & 32 ? { defaultCharset: 'iso-8859-1' } : {})
  }
}

const parsers = Array.from({ length: 64 }, (_, choice) => [urlencoded, bodyParser.urlencoded].map((create) => create(optionsOf(choice))))

/** Two bytes choose options and charset, the others are the body. */
async function run (bytes) {
  const [options = 0, charset = 0] = bytes
  const body = bytes.subarray(2)
  const headers = { 'content-type': `application/x-www-form-urlencoded${CHARSETS[charset & 3]}`, 'content-length': String(body.length) }
  const [one, other] = await Promise.all(parsers[options & 63].map((parser) => outcomeOf(parser, headers, body)))
  mustEqual(one, other, () => `${headers['content-type']}, ${JSON.stringify(optionsOf(options & 63))}, ${JSON.stringify(body.toString('latin1'))}`)
}

module.exports = {
  words: ['&', '=', '+', '%', '%20', '%26', '%26%23', '&#9786;', '%26%239786;', '%26%239786%3B', '%5B', '%5D', '[', ']', '[]', '[a]', '[0]', '[__proto__]', '[length]', '[101]', '&a[]=', '&a[]=', '[][a]', '__proto__', 'utf8=%E2%9C%93', 'utf8=%26%2310003%3B', 'utf8=\xE2\x9C\x93', 'utf8=', '&utf8=x', '%E9', '%C3%A9', '\xE9', ',', '.', 'hasOwnProperty', 'a=1&'.repeat(40)],
  seeds: ['\0\0a=1&b=2', '\x01\0a[b][c]=1&a[]=2', '\x02\0utf8=%E2%9C%93&a=%C3%A9', '\x06\x01a=%26%239786;&utf8=%26%2310003%3B', '\x08\0a&b&c&d', '\x11\0a[b][c][d]=1', '\x01\0a[]=1&a[]=2&a[2]=3&a[200]=4', `\x01\0${'a[]=1&'.repeat(101)}`],
  longest: 1024,
  run
}
