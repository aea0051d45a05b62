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
const codings = [undefined, 'GZIP', ...Object.keys(CODERS), 'x', 'gzip, br']
const charsets = [undefined, 'UTF-8', 'utf-bogus', 'bogus', 'latin1']
const read = { json: {}, raw: {} } // the others do the same, but for how they parse

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
  junk: () => Buffer.from('junk'),
  'changed in the middle': (bytes) => change(bytes, 0.5),
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

/** Lengths, options, and whether other code has read the body: all without a coding; else three, in turn. */
function turnsOf (coding, place) {
  if (coding === undefined) {
    return LENGTHS.flatMap((length) => ALL.flatMap((which) => [false, true].map((isUsed) => [length, which, isUsed])))
  }
  const inTurn = (list, at) => list[at % list.length]
  const [one, other] = [inTurn(LENGTHS, place), inTurn(LENGTHS, place + 1)]
  return [[one, 'plain', false], [other, inTurn(ALL.slice(1), place), false], [one, inTurn(ALL, place), true]]
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
async function compare (name, which, headers, bytes, isUsed) {
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
  for (const [p, name] of Object.keys(read).entries()) {
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
            for (const [[length, declare], which, isUsed] of turnsOf(coding, p + c + f)) {
              const charset = charsets[(content.length + fault.length + length.length) % charsets.length]
              const headers = headersOf(name, coding, charset, declare(bytes.length))
              const [ours, theirs] = await compare(name, which, headers, bytes, isUsed)
              assert.deepEqual(ours, theirs, [content, fault, length, charset, which, isUsed].join(', '))
            }
          }
        }
      })
    }
  }
})
