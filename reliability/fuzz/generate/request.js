'use strict'

const fc = require('fast-check')
const { arrival } = require('./arrival')
const { charset } = require('./charset')
const { coding } = require('./coding')
const { contentType } = require('./content-type')
const { formText } = require('./form')
const { framing } = require('./framing')
const { jsonText } = require('./json')
const { anyBytes, plainText } = require('./text')
const { mostly, oneOf } = require('./weigh')

const CONTENTS = {
  json: oneOf([16, jsonText], [2, anyBytes], [1, fc.oneof(formText, plainText)]),
  urlencoded: oneOf([16, formText], [2, anyBytes], [1, fc.oneof(jsonText, plainText)]),
  text: oneOf([8, plainText], [6, anyBytes], [1, fc.oneof(formText, jsonText)]),
  raw: oneOf([1, anyBytes], [1, plainText])
}

const HEADERS = [
  ['Connection', 'close'], ['Connection', 'keep-alive'], ['Expect', '100-continue'], ['Connection', 'upgrade'],
  ['Content-Type', 'text/plain'],
  ['Content-Encoding', 'gzip'], ['Content-Encoding', 'br'], ['Trailer', 'X'], ['Upgrade', 'websocket'],
  ['X-Long', 'x'.repeat(2000)]
]

const damage = fc.array(fc.tuple(fc.integer({ min: 0, max: 999 }), fc.integer({ min: 0, max: 255 })),
  { minLength: 1, maxLength: 3 })

/**
 * A request of the kind that this parser reads, or nearly so.
 *
 * @param {string} parser
 */
function request (parser) {
  return fc.record({
    method: mostly('POST', fc.constantFrom('PUT', 'PATCH', 'GET', 'DELETE', 'HEAD', 'OPTIONS', 'QUERY'), 8),
    version: mostly('1.1', fc.constant('1.0'), 40),
    type: contentType(parser),
    charset,
    encodedAs: mostly('same', charset, 5), // the charset that is named, or another
    headers: mostly([], fc.array(fc.constantFrom(...HEADERS), { minLength: 1, maxLength: 2 }), 12),
    content: CONTENTS[parser],
    damage: mostly(undefined, damage, 12),
    coding,
    framing,
    arrival,
    join: fc.constantFrom('answered', 'follows', 'glued') // how it comes after the one before
  })
}

module.exports = { request }
