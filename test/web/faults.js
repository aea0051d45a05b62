'use strict'

// Requests with two faults, or more: fast-body-parser/web names the one that the
// middleware names.

const assert = require('node:assert/strict')
const { Readable } = require('node:stream')
const bodyParser = require('../..')
const web = require('fast-body-parser/web')
const { CODERS } = require('../support/coders')
const types = require('../support/types')
const { builtins } = require('../support/where')

const LIMIT = 1000

const digits = (count) => Array.from({ length: count }, (_, i) => (i * i * 7919 % 10_007).toString(36)).join('')
const texts = {
  whole: '{"a":1}',
  wrong: '{"a":',
  empty: '',
  'too large': `["${digits(600)}"]`,
  'much too large': `["${digits(25_000)}"]`
}
const codings = [undefined, 'identity', 'GZIP', ...Object.keys(CODERS), 'zstd', 'x', 'gzip, br']
const charsets = [undefined, 'UTF-8', 'utf-bogus', 'bogus', 'latin1']
const read = { json: {}, raw: {}, text: {}, urlencoded: {} }

function change (bytes, share) {
  const changed = Buffer.from(bytes)
  const at = Math.floor((bytes.length - 1) * share)
  if (at >= 0) changed[at] ^= 0x55
  return changed
}

/** What may be wrong with the bytes of a coded body. */
const faults = {
  none: (bytes) => bytes,
  cut: (bytes) => bytes.subarray(0, -3),
  half: (bytes) => bytes.subarray(0, bytes.length / 2),
  junk: () => Buffer.from('junk'),
  'changed in the middle': (bytes) => change(bytes, 0.5),
  'changed near the end': (bytes) => change(bytes, 0.95),
  'changed at the end': (bytes) => change(bytes, 1)
}

const lengths = {
  right: (length) => length,
  'too small': (length) => Math.max(length - 1, 0),
  'too large': (length) => length + 1,
  'over the limit': () => LIMIT + 1
}

const options = {
  plain: {},
  'inflate: false': { inflate: false },
  verify: { verify () {} },
  'verify that throws': { verify () { throw new Error('no') } },
  'limit that is wrong': { limit: () => true }
}

const ALL = Object.keys(options)
const LENGTHS = Object.entries(lengths)

/** Lengths and options: all without a coding; else two, in turn, so that the four parsers have each with each fault. */
function turnsOf (coding, place) {
  if (coding === undefined) return LENGTHS.flatMap((length) => ALL.map((which) => [length, which]))
  const inTurn = (list, at) => list[at % list.length]
  return [[inTurn(LENGTHS, place), 'plain'], [inTurn(LENGTHS, place + 1), inTurn(ALL.slice(1), place)]]
}

function parsersOf (name, which) {
  const settings = { limit: LIMIT, ...options[which] }
  return (read[name][which] ??= { ours: web[name](settings), theirs: bodyParser[name](settings).read })
}

async function settle (promise) {
  try {
    const value = await promise
    return { value: value instanceof Uint8Array ? [...value] : value }
  } catch ({ status, expose, type, message, code, errno, charset, encoding, limit, length, expected }) {
    return { status, expose, type, message, code, errno, charset, encoding, limit, length, expected }
  }
}

/** What both make of a request; `isUsed`: other code has read its body. */
async function compare (name, which, headers, bytes, isUsed = false) {
  const { ours, theirs } = parsersOf(name, which)
  const req = Object.assign(Readable.from(bytes.length > 0 ? [bytes] : []), { headers })
  const request = new Request('http://test', { method: 'POST', body: bytes, headers })
  if (isUsed) await Promise.all([req.toArray(), request.arrayBuffer()])
  return [await settle(ours(request)), await settle(theirs(req, {}))]
}

function headersOf (name, coding, charset, length) {
  return {
    'content-type': charset === undefined ? types[name] : `${types[name]}; charset=${charset}`,
    'content-length': String(length),
    ...(coding !== undefined && { 'content-encoding': coding })
  }
}

describe('fast-body-parser/web names the fault that the middleware names', () => {
  for (const [p, name] of Object.keys(types).entries()) {
    for (const coding of codings) {
      const coder = CODERS[coding?.toLowerCase()]
      const code = coder ?? Buffer.from
      const { it } = coder === undefined ? globalThis : builtins
      const { none, junk } = faults
      const possible = coder === undefined ? { none } : coding === 'GZIP' ? { none, junk } : faults // as in gzip

      it(`${name} in ${coding}`, async () => {
        for (const [c, [content, text]] of Object.entries(texts).entries()) {
          const coded = code(text)
          for (const [f, [fault, spoil]] of Object.entries(possible).entries()) {
            const bytes = spoil(coded)
            for (const [[length, declare], which] of turnsOf(coding, p + c + f)) {
              const charset = charsets[(content.length + fault.length + length.length) % charsets.length]
              const [ours, theirs] = await compare(name, which,
                headersOf(name, coding, charset, declare(bytes.length)), bytes)
              assert.deepEqual(ours, theirs, [content, fault, length, charset, which].join(', '))
            }
          }
        }
      })

      it(`${name} in ${coding}, with each charset, and other code that has read the body`, async () => {
        const bytes = code('{')
        for (const [c, charset] of charsets.entries()) {
          for (const isUsed of [false, true]) {
            for (const length of [9, LIMIT + 1]) {
              for (const which of ['plain', ALL[1 + (p + c) % (ALL.length - 1)]]) {
                const [ours, theirs] = await compare(name, which, headersOf(name, coding, charset, length), bytes,
                  isUsed)
                assert.deepEqual(ours, theirs, [charset, isUsed, length, which].join(', '))
              }
            }
          }
        }
      })
    }
  }
})
