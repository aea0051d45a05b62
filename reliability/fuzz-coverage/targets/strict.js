'use strict'

// JSON, strict and not, against body-parser on the same bytes.

const bodyParser = require('body-parser')
const json = require('../../../lib/types/json')
const { outcomeOf } = require('../outcome')
const { mustEqual } = require('../wrong-answer')

const reviver = (name, value) => typeof value === 'number' ? -value : value
const OPTIONS = [{}, { strict: false }, { reviver }, { strict: false, reviver }]
const CHARSETS = ['', '; charset=utf-16le', '; charset=utf-16', '; charset=utf-8']
const ours = OPTIONS.map((options) => json(options))
const theirs = OPTIONS.map((options) => bodyParser.json(options))

/** The first byte chooses options and charset, the others are the body. */
async function run (bytes) {
  const choice = bytes[0] ?? 0
  const body = bytes.subarray(1)
  const headers = { 'content-type': `application/json${CHARSETS[(choice >> 2) & 3]}`, 'content-length': String(body.length) }
  const [one, other] = await Promise.all([ours, theirs].map((parsers) => outcomeOf(parsers[choice & 3], headers, body)))
  mustEqual(one, other, () => `${headers['content-type']}, options ${choice & 3}, ${JSON.stringify(body.toString())} (hex ${body.toString('hex')})`)
}

module.exports = {
  words: ['{', '}', '[', ']', '"', ':', ',', '\\', '\\u', '\\ud800', 'true', 'false', 'null', '1e9', '-0', '{"a":1}', '"__proto__":', '\xEF\xBB\xBF', '\xFF\xFE', '\xFE\xFF', ' ', '\t', '\r\n', '\v', '\xC2\xA0', '\xE2\x80\xA8', '\xED\xBF\xBF', '\xED\xA0\x80', '#', '"#"', '$&', '$`', '%s', '//', '\0'],
  seeds: ['\0{"a":[1,2,{"b":null}]}', '\x01"text"', '\0"text"', '\0 \t\r\n[]', '\0true', '\0', '\0   ', '\x02{"a":1}', '\x04{\0}\0', '\x08\xFE\xFF\0{\0}', '\0#12', '\0nul', '\0{"a":1}x'],
  longest: 512,
  run
}
