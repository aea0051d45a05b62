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
  const texts = [30, 300, 300, 1000, 5000, 40_000].map((size) => textOf(size, random))
  const values = [{}, [], ...texts.map((text, index) => ({ index, text, list: [1.5, null, true, { deep: [text.slice(0, 20)] }] }))]
  const mix = [...values.flatMap(jsons), ...texts.flatMap(forms), ...texts.flatMap(plain), ...texts.map(bytes), ...faults(texts), ...skipped()]
  return isGuarded ? [...mix, ...expensive()].map(guarded) : mix
}

/** Letters of one, two, three and four bytes. */
function textOf (size, random) {
  const letters = 'abcdefghijklmnopqrstuvwxyz  äß€😀'
  const all = [...letters]
  return Array.from({ length: size }, () => pick(all, random)).join('')
}

function message (type, body, status, text, { headers, method = 'POST', chunked = false } = {}) {
  return { method, headers: { 'Content-Type': type, ...headers }, body: Buffer.from(body), chunked, expect: { status, text } }
}

const coded = (coding) => ({ 'Content-Encoding': coding })

function jsons (value) {
  const text = JSON.stringify(value)
  return [
    message(JSON_TYPE, text, 200, text),
    message(`${JSON_TYPE}; charset=utf-8`, text, 200, text, { chunked: true }),
    message(JSON_TYPE, text, 200, text, { headers: { 'X-Verify': 'later' } }),
    message(JSON_TYPE, text, 403, 'entity.verify.failed', { headers: { 'X-Verify': 'refuse' } }),
    message(JSON_TYPE, text, 403, 'entity.verify.failed', { headers: { 'X-Verify': 'refuse later' } }),
    ...Object.entries(compressors).flatMap(([coding, compress]) => [
      message(JSON_TYPE, compress(text), 200, text, { headers: coded(coding) }),
      message(JSON_TYPE, compress(text), 200, text, { headers: coded(coding), chunked: true })
    ])
  ]
}

function forms (text, index) {
  const escaped = encodeURIComponent(text.slice(0, 10_000)).replaceAll('%20', '+')
  const value = text.slice(0, 10_000)
  const flat = JSON.stringify({ index: String(index), text: value })
  const nested = JSON.stringify({ user: { name: value, tags: ['a', 'b'] } })
  return [
    message(FORM_TYPE, `index=${index}&text=${escaped}`, 200, flat),
    message(FORM_TYPE, `user[name]=${escaped}&user[tags][]=a&user[tags][]=b`, 200, nested),
    message(FORM_TYPE, zlib.gzipSync(`index=${index}&text=${escaped}`), 200, flat, { headers: coded('gzip'), chunked: true })
  ]
}

function plain (text) {
  return [
    message('text/plain', text, 200, JSON.stringify(text)),
    message('text/plain; charset=utf-16le', Buffer.from(text.slice(0, 4000), 'utf16le'), 200, JSON.stringify(text.slice(0, 4000)), { chunked: true })
  ]
}

function bytes (text) {
  const body = Buffer.from(text)
  return message('application/octet-stream', body, 200, body.toString('latin1'))
}

/** Messages that must be refused. */
function faults (texts) {
  const large = Buffer.alloc(LIMIT + 1, 'x')
  const packed = zlib.gzipSync(JSON.stringify(texts[3]))
  const bomb = zlib.gzipSync(Buffer.alloc(8000 * KB))
  return [
    message(JSON_TYPE, '{"a":', 400, 'entity.parse.failed'),
    message(JSON_TYPE, `"${texts[3]}"`, 400, 'entity.parse.failed'),
    message(JSON_TYPE, large, 413, 'entity.too.large'),
    message('text/plain', large, 413, 'entity.too.large', { chunked: true }),
    message(JSON_TYPE, bomb, 413, 'entity.too.large', { headers: coded('gzip') }),
    message(JSON_TYPE, bomb, 413, 'entity.too.large', { headers: coded('gzip'), chunked: true }),
    message(JSON_TYPE, 'no gzip', 400, 'Z_DATA_ERROR', { headers: coded('gzip') }),
    message(JSON_TYPE, packed.subarray(0, -9), 400, 'Z_BUF_ERROR', { headers: coded('gzip'), chunked: true }),
    message(JSON_TYPE, '{}', 415, 'encoding.unsupported', { headers: coded('compress') }),
    message(`${JSON_TYPE}; charset=latin1`, '{}', 415, 'charset.unsupported'),
    message('text/plain; charset=x-unknown', 'x', 415, 'charset.unsupported'),
    message(FORM_TYPE, 'a=1&'.repeat(1000), 413, 'parameters.too.many'),
    message(FORM_TYPE, `a${'[b]'.repeat(40)}=1`, 400, 'querystring.parse.rangeError')
  ]
}

function skipped () {
  return [
    { method: 'GET', headers: {}, body: Buffer.alloc(0), chunked: false, expect: { status: 200, text: 'nothing' } },
    message('image/png', Buffer.alloc(3000), 200, 'nothing'),
    message('image/png', Buffer.alloc(3000), 200, 'nothing', { chunked: true }),
    message(JSON_TYPE, '', 200, '{}', { chunked: true })
  ]
}

/** Bodies that take long to parse in slices. */
function expensive () {
  const deep = `${'['.repeat(500)}${']'.repeat(500)}`
  const many = `[${Array(90).fill(deep).join()}]`
  return [
    message(JSON_TYPE, '[1,'.repeat(30 * KB), 400, 'entity.parse.failed'),
    message(JSON_TYPE, many, 200, many)
  ]
}

const guarded = (message) => ({ ...message, expect: { ...message.expect, mayExceedBudget: true } })

/** Whether a server waits for the rest of the body, but not for long. */
const mayStall = ({ body, expect }) => body.length > 100 && body.length < 2 * KB && expect.status === 200 && expect.text !== 'nothing'

module.exports = { mayStall, mixOf }
