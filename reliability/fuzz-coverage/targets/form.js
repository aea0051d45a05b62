'use strict'

// lib/form/flat.js against qs, for the texts that lib/types/urlencoded.js passes it.

const qs = require('qs')
const { decoderOf } = require('../../../lib/core/charset')
const { hasBrackets, parseFlat, unescapeLatin1, unescapeUtf8 } = require('../../../lib/form/flat')
const { countParameters } = require('../../../lib/form/parse')
const { mustEqual } = require('../wrong-answer')

const LIMIT = 1000 // parameters; forms of more are refused before
const BRACKET = /[[\]]|%5[bd]/i

/** The first byte chooses the charset, whether brackets would nest, and a limit. */
function run (bytes) {
  const most = bytes[0] & 4 ? 1 + (bytes[0] >> 3) : LIMIT
  const charset = bytes[0] & 1 ? 'iso-8859-1' : 'utf-8'
  const extended = (bytes[0] & 2) !== 0
  const text = decoderOf(charset)(bytes.subarray(1))
  const about = (what) => () => `${what}, ${charset}${extended ? ', extended' : ''}, of ${JSON.stringify(text)}`

  const nests = hasBrackets(text)
  mustEqual(nests, BRACKET.test(text), about('hasBrackets'))
  const count = countParameters(text, most)
  mustEqual(count, Math.min(text.split('&').length, most + 1), about(`countParameters up to ${most}`))
  if (nests || text === '' || count > most) return
  mustEqual(parseFlat(text, charset === 'utf-8' ? unescapeUtf8 : unescapeLatin1), qs.parse(text, {
    allowPrototypes: true,
    arrayLimit: extended ? Math.max(100, count) : count,
    charset,
    charsetSentinel: false,
    depth: extended ? 32 : 0,
    interpretNumericEntities: false,
    parameterLimit: most,
    strictDepth: true
  }), about('parseFlat'))
}

module.exports = {
  words: ['&', '=', '+', '%', '%20', '%25', '%26', '%3D', '%2B', '%5B', '%5d', '[', ']', '[]', '%C3%A9', '%E9', '%F0%9F%98%80', '%ED%A0%80', '%u263A', '%zz', '__proto__', 'constructor', 'hasOwnProperty', 'length', 'toString', 'a=', '&a=', '&=', '=&', '.', ',', '0', '1', '&#9786;', '\xC3\xA9', '\xEF\xBB\xBF', 'utf8=%E2%9C%93'],
  seeds: ['\0a=1', '\0a=1&b=2&a=3&a=4', '\x01a=%E9+%20&b', '\x02a=%C3%A9&%62=+', '\x14a&b&c&d', '\x03a%5Bb%5D=1', '\0a[b]=1', '\0__proto__=1&toString=2&toString=3'],
  longest: 1024,
  run
}
