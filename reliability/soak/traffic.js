'use strict'

// The messages of the mix, each with its right answer.

const zlib = require('node:zlib')

const { pick } = require('../../tools/random')

const KB = 1024 // bytes
const LIMIT = 100 * KB // bytes; the parsers' default

/**
 * @typedef {object} Message
 * @property {string} method
 * @property {Record<string, string>} headers
 * @property {Buffer} body
 * @property {boolean} chunked
 * @property {{ status: number, text: string, mayExceedBudget?: boolean }} expect
 */

const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'
const compressors = { gzip: zlib.gzipSync, deflate: zlib.deflateSync, br: zlib.brotliCompressSync }

/**
 * @param {() => number} random in [0, 1)
 * @param {boolean} [isGuarded] for a server whose parsers have a budget and are cooperative
 * @returns {Message[]} the mix; a message is sent as often as it is in it
 */
function mixOf (random, isGuarded = false) {
  const words = [30, 300, 300, 1000, 5000, 40_000].map((size) => textOf(size, random))
  const values = [
    {}, [], ...words.map((text, index) => ({ index, text, list: [1.5, null, true, { deep: [text.slice(0, 20)] }] }))
  ]
  const mix = [
    ...values.flatMap(jsons), ...words.flatMap(forms), ...words.flatMap(texts), ...faults(words[3]), ...SKIPPED
  ]
  return isGuarded ? [...mix, ...expensive()].map(guarded) : mix
}

/** Letters of one, two, three and four bytes. */
function textOf (size, random) {
  const letters = 'abcdefghijklmnopqrstuvwxyz  äß€😀'
  const all = [...letters]
  return Array.from({ length: size }, () => pick(all, random)).join('')
}

/**
 * @param {string} type
 * @param {string | Buffer} body
 * @param {string} text of the answer
 * @param {object} [more] status, and properties of the message; `coding` is declared, `order` is for `verify`
 * @returns {Message}
 */
function message (type, body, text, { status = 200, coding, order, chunked = false } = {}) {
  const headers = {
    'Content-Type': type,
    ...coding && { 'Content-Encoding': coding },
    ...order && { 'X-Verify': order }
  }
  return { method: 'POST', headers, body: Buffer.from(body), chunked, expect: { status, text } }
}

/** The same with a declared length, and in chunks. */
const bothWays = (type, body, text, more) => [false, true].map((chunked) => message(type, body, text,
  { ...more, chunked }))

function jsons (value) {
  const text = JSON.stringify(value)
  const refused = 'entity.verify.failed'
  return [
    message(JSON_TYPE, text, text),
    message(`${JSON_TYPE}; charset=utf-8`, text, text, { chunked: true }),
    message(JSON_TYPE, text, text, { order: 'later' }),
    message(JSON_TYPE, text, refused, { status: 403, order: 'refuse' }),
    message(JSON_TYPE, text, refused, { status: 403, order: 'refuse later' }),
    ...Object.entries(compressors).flatMap(([coding, compress]) => bothWays(JSON_TYPE, compress(text), text,
      { coding }))
  ]
}

function forms (text, index) {
  const value = text.slice(0, 10_000)
  const escaped = encodeURIComponent(value).replaceAll('%20', '+')
  const flat = JSON.stringify({ index: String(index), text: value })
  return [
    message(FORM_TYPE, `index=${index}&text=${escaped}`, flat),
    message(FORM_TYPE, `user[name]=${escaped}&user[tags][]=a&user[tags][]=b`,
      JSON.stringify({ user: { name: value, tags: ['a', 'b'] } })),
    message(FORM_TYPE, zlib.gzipSync(`index=${index}&text=${escaped}`), flat, { coding: 'gzip', chunked: true })
  ]
}

function texts (text) {
  const short = text.slice(0, 4000)
  return [
    message('text/plain', text, JSON.stringify(text)),
    message('text/plain; charset=utf-16le', Buffer.from(short, 'utf16le'), JSON.stringify(short), { chunked: true }),
    message('application/octet-stream', text, Buffer.from(text).toString('latin1'))
  ]
}

/** Messages that must be refused. */
function faults (text) {
  const large = Buffer.alloc(LIMIT + 1, 'x')
  const packed = zlib.gzipSync(JSON.stringify(text))
  const bomb = zlib.gzipSync(Buffer.alloc(8000 * KB))
  const tooLarge = 'entity.too.large'
  return [
    message(JSON_TYPE, '{"a":', 'entity.parse.failed', { status: 400 }),
    message(JSON_TYPE, `"${text}"`, 'entity.parse.failed', { status: 400 }),
    message(JSON_TYPE, large, tooLarge, { status: 413 }),
    message('text/plain', large, tooLarge, { status: 413, chunked: true }),
    ...bothWays(JSON_TYPE, bomb, tooLarge, { status: 413, coding: 'gzip' }),
    message(JSON_TYPE, 'no gzip', 'Z_DATA_ERROR', { status: 400, coding: 'gzip' }),
    message(JSON_TYPE, packed.subarray(0, -9), 'Z_BUF_ERROR', { status: 400, coding: 'gzip', chunked: true }),
    message(JSON_TYPE, '{}', 'encoding.unsupported', { status: 415, coding: 'compress' }),
    message(`${JSON_TYPE}; charset=latin1`, '{}', 'charset.unsupported', { status: 415 }),
    message('text/plain; charset=x-unknown', 'x', 'charset.unsupported', { status: 415 }),
    message(FORM_TYPE, 'a=1&'.repeat(1000), 'parameters.too.many', { status: 413 }),
    message(FORM_TYPE, `a${'[b]'.repeat(40)}=1`, 'querystring.parse.rangeError', { status: 400 })
  ]
}

const SKIPPED = [
  { method: 'GET', headers: {}, body: Buffer.alloc(0), chunked: false, expect: { status: 200, text: 'nothing' } },
  ...bothWays('image/png', Buffer.alloc(3000), 'nothing'),
  message(JSON_TYPE, '', '{}', { chunked: true })
]

/** Bodies that take long to parse in slices. */
function expensive () {
  const deep = `${'['.repeat(500)}${']'.repeat(500)}`
  const many = `[${Array(90).fill(deep).join()}]`
  return [
    message(JSON_TYPE, '[1,'.repeat(30 * KB), 'entity.parse.failed', { status: 400 }), message(JSON_TYPE, many, many)
  ]
}

const guarded = (message) => ({ ...message, expect: { ...message.expect, mayExceedBudget: true } })

/** Whether a server waits for the rest of the body, but not for long. */
const mayStall = ({ body, expect }) => body.length > 100 && body.length < 2 * KB && expect.status === 200 &&
  expect.text !== 'nothing'

module.exports = { mayStall, mixOf }
