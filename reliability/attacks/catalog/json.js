'use strict'

// JSON that is expensive to parse. The time of JSON.parse itself is not counted
// against the parser.

const { attackOn, fill, list, MB, wrap } = require('./attack')

const FAILED = ['400 entity.parse.failed']

/** On a parser of 1 MB of JSON. */
function attack (name, what, make, expect = ['200'], more = {}) {
  return attackOn('json', () => ({ pieces: [make()] }), { name, what, expect, ...more })
}

/** Where V8 confuses keys, escaped ones are rewritten before JSON.parse reads them. */
function attackOnNames (name, what, make) {
  return attack(name, what, make, undefined, { allowed: ['busy', 'p50', 'p99'] })
}

/** With the option cooperative, others must not wait longer, at whatever cost. */
const cooperative = (name, what, make, expect) => attack(`cooperative-${name}`, what, make, expect,
  { allowed: ['busy', 'peak'], options: { cooperative: true } }) // which body-parser ignores

const lateFault = () => wrap('[0', ',1', '')
const shapes = () => list('[', (index) => `{"k${index}":1}`, ']')

module.exports = [
  cooperative('late-fault', '1 MB of JSON with its last bracket missing', lateFault, FAILED),
  cooperative('shapes', '80,000 objects, each of a shape of its own', shapes),
  attack('json-open', 'a million of [', () => fill('['), FAILED),
  attack('json-deep', 'half a million levels', () => Buffer.concat([fill('[', MB / 2), fill(']', MB / 2)])),
  attack('json-blank-then', 'a million spaces, then a letter', () => wrap('', ' ', 'x'), FAILED),
  attack('json-string', 'a string of a million letters', () => wrap('"', 'x', '"'), FAILED),
  attack('json-not-utf8', 'a million bytes that are not UTF-8', () => fill(Buffer.of(0x80)), FAILED),
  attack('json-late-fault', '1 MB of JSON with its last bracket missing', lateFault, FAILED),
  attack('json-proto', '70,000 of __proto__', () => wrap('[0', ',{"__proto__":1}', ']')),
  // V8 interns short strings. Node 20.18.0 hashes integers by their low bits, and takes seconds.
  attack('json-alike', '65,000 strings of alike hash',
    () => list('[', (index) => `"${index % 65_536 * 65_536}"`, ']')),
  attack('json-sparse', '80,000 numbers as names',
    () => list('{', (index) => `"${index * 1_000_003 % 4_294_967_291}":1`, '}')),
  attack('json-shapes', '80,000 objects, each of a shape of its own', shapes),
  attack('json-digits', 'a number of a million digits', () => wrap('[', '1', ']')),
  attack('json-escapes', '170,000 escapes', () => wrap('["', '\\u0041', '"]')),
  attackOnNames('json-quotes', 'a name of 500,000 escaped quotes', () => wrap('{"', '\\"', '":1}')),
  attack('json-bare-quotes', 'an escape, then a million quotes', () => wrap('["\\n', '"', ']'), FAILED),
  attackOnNames('json-escaped-names', '100,000 names with an escape',
    () => list('{', (index) => `"\\"${index}":1`, '}')),
  attackOnNames('json-escaped-shapes', '80,000 objects, each with an escaped name of its own',
    () => list('[', (index) => `{"\\n${index}":1}`, ']'))
]
