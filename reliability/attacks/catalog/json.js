'use strict'

// JSON that is expensive to parse. The time of JSON.parse itself is not counted
// against the parser.

const attackOn = require('./attack')
const { fill, list, MB, wrap } = require('./fill')

const OK = ['200']
const FAILED = ['400 entity.parse.failed']

/** On a parser of 1 MB of JSON. */
function attack (name, what, expect, make, allowed) {
  return attackOn('json', () => ({ pieces: [make()] }), { name, what, expect, isJson: true, allowed })
}

/** Where V8 confuses keys, escaped ones are rewritten before JSON.parse reads them. */
function attackOnNames (name, what, make) {
  return attack(name, what, OK, make, ['busy', 'p50', 'p99'])
}

module.exports = [
  attack('json-open', 'a million of [', FAILED, () => fill('[', MB)),
  attack('json-deep', 'half a million levels', OK, () => Buffer.concat([fill('[', MB / 2), fill(']', MB / 2)])),
  attack('json-blank', 'a million spaces', FAILED, () => fill(' ', MB)),
  attack('json-blank-then', 'a million spaces, then a letter', FAILED, () => wrap('', ' ', 'x', MB)),
  attack('json-string', 'a string of a million letters', FAILED, () => wrap('"', 'x', '"', MB)),
  attack('json-token', 'a million letters', FAILED, () => fill('x', MB)),
  attack('json-patterns', 'patterns of String#replace()', FAILED, () => fill('$&$`$\'', MB)),
  attack('json-not-utf8', 'a million bytes that are not UTF-8', FAILED, () => fill(Buffer.of(0x80), MB)),
  attack('json-late-fault', '1 MB of JSON with its last bracket missing', FAILED, () => wrap('[0', ',1', '', MB)),
  attack('json-proto', '70,000 of __proto__', OK, () => wrap('[0', ',{"__proto__":1}', ']', MB)),
  // V8 interns short strings. Node 20.18.0 hashes integers by their low bits, and takes seconds.
  attack('json-alike', '65,000 strings of alike hash', OK,
    () => list('[', (index) => `"${index % 65_536 * 65_536}"`, ']', MB)),
  attack('json-sparse', '80,000 numbers as names', OK,
    () => list('{', (index) => `"${index * 1_000_003 % 4_294_967_291}":1`, '}', MB)),
  attack('json-names', '100,000 names', OK, () => list('{', (index) => `"k${index}":1`, '}', MB)),
  attack('json-shapes', '80,000 objects, each of a shape of its own', OK,
    () => list('[', (index) => `{"k${index}":1}`, ']', MB)),
  attack('json-repeated', 'one name 150,000 times', OK, () => wrap('{"a":0', ',"a":1', '}', MB)),
  attack('json-digits', 'a number of a million digits', OK, () => wrap('[', '1', ']', MB)),
  attack('json-escapes', '170,000 escapes', OK, () => wrap('["', '\\u0041', '"]', MB)),
  attack('json-backslashes', 'a million backslashes', OK, () => wrap('["', '\\\\', '"]', MB)),
  attackOnNames('json-quotes', 'a name of 500,000 escaped quotes', () => wrap('{"', '\\"', '":1}', MB)),
  attack('json-bare-quotes', 'an escape, then a million quotes', FAILED, () => wrap('["\\n', '"', ']', MB)),
  attackOnNames('json-escaped-names', '100,000 names with an escape',
    () => list('{', (index) => `"\\"${index}":1`, '}', MB)),
  attackOnNames('json-escaped-shapes', '80,000 objects, each with an escaped name of its own',
    () => list('[', (index) => `{"\\n${index}":1}`, ']', MB)),
  attackOnNames('json-escaped-name', 'one escaped name 100,000 times', () => wrap('{"\\n":0', ',"\\n":1', '}', MB))
]
