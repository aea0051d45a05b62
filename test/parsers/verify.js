'use strict'

const assert = require('node:assert/strict')
const zlib = require('node:zlib')
const { json } = require('fast-body-parser')
const parseContent = require('../support/parse-content')
const { table } = require('../support/table')
const TYPES = require('../support/types')

function row (it, parser, body, verify, expect, more) {
  return {
    it,
    parser,
    options: { verify, strict: false },
    headers: { 'Content-Type': TYPES[parser] },
    body,
    expect,
    arrivals: ['together', 'afterwards'],
    ...more
  }
}

function refusing (it, what, expect, more) {
  return row(it, 'json', '{"a":1}', () => { throw what() },
    expect && { error: { body: Buffer.from('{"a":1}'), ...expect } }, more)
}

const failed = (fields) => Object.assign(new Error('no'), fields)

/** A function with four parameters that refuses to get more or fewer arguments, as a mock may. */
function countArguments (req, res, bytes, charset) {
  if (arguments.length !== 4) throw new Error(`${arguments.length} arguments`)
}

const expecting = (content) => (req, res, bytes) => {
  if (!Buffer.isBuffer(bytes) || String(bytes) !== content) throw new Error(`verify gets ${bytes}`)
}

/** Writes the charset that verify gets into the body that is parsed. */
function writeCharset (req, res, bytes, charset) {
  if (!Buffer.isBuffer(bytes) || res.req !== req || req.body !== undefined || !('body' in req)) {
    throw new Error('wrong arguments')
  }
  bytes.write(String(charset).padEnd(bytes.length).slice(0, bytes.length), 'latin1')
}

describe('option verify', () => {
  const room = ' '.repeat(16)
  describe('is called with', () => {
    table([
      row('the charset of the header', 'text', room, writeCharset, { body: 'utf-8'.padEnd(16) },
        { headers: { 'Content-Type': 'text/plain; charset=UTF-8' } }),
      row('the default charset', 'text', room, writeCharset, { body: 'ISO-8859-1'.padEnd(16) },
        { options: { verify: writeCharset, defaultCharset: 'ISO-8859-1' } }),
      row('utf-8 as the charset by default', 'text', room, writeCharset, { body: 'utf-8'.padEnd(16) }),
      row('the charset of a form', 'urlencoded', room, writeCharset, { body: { 'iso-8859-1      ': '' } },
        { headers: { 'Content-Type': `${TYPES.urlencoded}; charset=ISO-8859-1` } }),
      row('null as the charset of bytes', 'raw', room, writeCharset, { body: Buffer.from('null'.padEnd(16)) }),
      row('null as the charset of bytes, even if the header names one', 'raw', room, writeCharset,
        { body: Buffer.from('null'.padEnd(16)) }, { headers: { 'Content-Type': `${TYPES.raw}; charset=utf-8` } }),
      row('bytes whose content coding is undone', 'text', zlib.gzipSync('plain'), expecting('plain'), { body: 'plain' },
        { headers: { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' } }),
      row('four arguments, unless it has a fifth parameter', 'json', '[1]', countArguments, { body: [1] }),
      row('an empty Buffer for an empty body', 'text', '', expecting(''), { body: '' }),
      row('the bytes of all packets, joined', 'json', '[1,2,3]', expecting('[1,2,3]'), { body: [1, 2, 3] },
        { arrivals: undefined }),
      row('the bytes of all chunks, joined', 'json', '[1,2,3]', expecting('[1,2,3]'), { body: [1, 2, 3] },
        { arrivals: undefined, chunked: true })
    ])
  })

  describe('refuses a body by throwing', () => {
    table([
      refusing('an error', () => failed(), { status: 403, type: 'entity.verify.failed', message: 'no', expose: true }),
      refusing('an error with fields', () => failed({ status: 401, type: 'own', extra: 1 }),
        { status: 401, type: 'own', extra: 1 }),
      refusing('an error with statusCode', () => failed({ statusCode: 422 }), { status: 422, statusCode: 422 }),
      refusing('a server error', () => failed({ status: 503 }), { status: 503, expose: false }),
      refusing('an error with status 200', () => failed({ status: 200 }), { status: 200 }),
      refusing('an error with status 700', () => failed({ status: 700 }), { status: 500 }),
      refusing('an error with status 0', () => failed({ status: 0 }), { status: 403 }),
      refusing('an error with status NaN', () => failed({ status: NaN }), { status: 403 }),
      refusing('an error with a string for a status', () => failed({ status: '404' }), { status: 500 }),
      refusing('a TypeError', () => new TypeError('no'), { constructor: 'TypeError', status: 403 }),
      refusing('a string', () => 'no', { constructor: 'ForbiddenError', message: 'no', status: 403 }),
      refusing('a plain object', () => ({ message: 'no', status: 401, type: 'own' }),
        { constructor: 'ForbiddenError', message: 'Forbidden', type: 'own', status: 403 })
    ])
  })

  it('gives each request an error of its own, if its promise is rejected with the same one', async () => {
    const shared = failed({ status: 401 })
    const parser = json({ verify: () => Promise.reject(shared) })
    const errors = []
    for (const body of ['[1]', '[2]']) await parseContent(parser, TYPES.json, body).catch((error) => errors.push(error))
    assert.equal(errors[0], shared)
    assert.deepEqual(errors.map(({ body, message, status }) => [String(body), message, status]),
      [['[1]', 'no', 401], ['[2]', 'no', 401]])
  })

  describe('order', () => {
    table([
      row('is called before the body is parsed', 'json', '{', () => { throw failed() }, { error: { status: 403 } }),
      row('is called before the strict check', 'json', '5', () => { throw failed() }, { error: { status: 403 } },
        { options: { verify: () => { throw failed() } } }),
      row('is not called for a body of another type', 'json', '{', () => { throw failed() }, { body: undefined },
        { headers: { 'Content-Type': 'a/b' } }),
      row('is followed by the parser, which may fail', 'json', '{', () => {},
        { error: { status: 400, type: 'entity.parse.failed' } })
    ])
  })
})
