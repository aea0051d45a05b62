'use strict'

const zlib = require('node:zlib')
const { table } = require('../support/table')

const JSON_TYPE = { 'Content-Type': 'application/json' }
const failing = () => { throw new Error('verify was called') }

function row (it, headers, body, expect, options, more) {
  return { it, parser: 'json', options, headers, body, expect, ...more }
}

/** Middlewares one after another, as an app stacks them. */
function stack (...middlewares) {
  return (req, res, next) => {
    const run = (index) => (error) => {
      if (error !== undefined || index === middlewares.length) next(error)
      else middlewares[index](req, res, run(index + 1))
    }
    run(0)()
  }
}

const four = (bodyParser) => stack(bodyParser.json(), bodyParser.urlencoded(), bodyParser.text(), bodyParser.raw())

const made = (it, make, headers, body, expect, more) => ({ it, make, headers, body, expect, ...more })
const own = (options) => (bodyParser) =>
  stack((req, res, next) => { req.body = 'own'; next() }, bodyParser.json(options))
const TEXT_TYPE = { 'Content-Type': 'text/html' }

describe('order of checks', () => {
  describe('a request without a body', () => {
    table([
      row('gets req.body, and next is called at once', {}, undefined, { body: undefined }),
      row('gets req.body, and next is called at once, for a GET', JSON_TYPE, undefined, { body: undefined }, {},
        { method: 'GET' }),
      made('keeps the req.body that it has', own(), {}, undefined, { body: 'own' }),
      made('passes through a stack of parsers', four, {}, undefined, { body: undefined })
    ])
  })

  describe('a body of another type', () => {
    const bodies = {
      'application/json': '{"a":1}',
      'application/x-www-form-urlencoded': 'a=1',
      'text/plain': 'a',
      'application/octet-stream': 'a',
      'a/b': 'a'
    }
    table([
      row('is skipped at once', TEXT_TYPE, 'x', { body: undefined }),
      row('is skipped even if it is over the limit', TEXT_TYPE, 'x'.repeat(200), { body: undefined }, { limit: 1 }),
      row('is skipped even if its coding is unknown', { ...TEXT_TYPE, 'Content-Encoding': 'bogus' }, 'x',
        { body: undefined }),
      made('keeps the req.body that is there', own(), TEXT_TYPE, 'x', { body: 'own' }),
      ...Object.entries(bodies).map(([type, body]) =>
        made(`${type} is parsed by its parser in a stack`, four, { 'Content-Type': type }, body))
    ])
  })

  describe('an existing req.body', () => {
    table([
      made('is replaced by the parsed body', own(), JSON_TYPE, '{"a":1}', { body: { a: 1 } }),
      made('stays if parsing fails', own(), JSON_TYPE, '{"a":', { error: { status: 400 } }),
      made('stays if the body is over the limit', own({ limit: 9 }), JSON_TYPE, '{"a":12345}',
        { error: { status: 413 } })
    ])
  })

  describe('a second parser', () => {
    const asked = { type: () => { throw new Error('asked') } }
    const readOff = (req, res, next) => { req.resume().on('end', () => setImmediate(next)) }
    const deleteBody = (req, res, next) => { delete req.body; next() }
    const does = (it, make, expect, more) => made(it, make, JSON_TYPE, '{"a":1}', expect, more)
    table([
      does('does nothing after one of the same type', ({ json }) => stack(json(), json({ limit: 0 })),
        { body: { a: 1 } }),
      does('does nothing after one of another type', ({ json, text }) => stack(text({ type: '*/*' }), json()),
        { body: '{"a":1}' }),
      does('does nothing even if req.body was deleted', ({ json }) => stack(json(), deleteBody, json())),
      does('does not call its type function', ({ json, raw }) => stack(json(), raw(asked)), { body: { a: 1 } }),
      does('does nothing after other code has read the request', ({ json }) => stack(readOff, json()), undefined,
        { ignore: ['complete'] })
    ])
  })

  describe('with two faults, reports', () => {
    const refusedCharset = { ...JSON_TYPE, 'Content-Type': 'application/json; charset=x' }
    const unknownCharset = { ...JSON_TYPE, 'Content-Type': 'application/json; charset=utf-x' }
    const refusedCoding = { 'Content-Encoding': 'x' }
    const tooLarge = { limit: 1 }
    const set = (options) => (bodyParser) => stack((req, res, next) => { req.setEncoding('utf8'); next() },
      bodyParser.json(options))
    const charset = { error: { status: 415, type: 'charset.unsupported' } }
    const coding = { error: { status: 415, type: 'encoding.unsupported' } }
    const large = { error: { status: 413, type: 'entity.too.large' } }
    const encoding = {
      error: { status: 500, type: 'stream.encoding.set', expose: false, message: 'stream encoding should not be set' }
    }
    table([
      row('a charset not allowed before the coding', { ...refusedCharset, ...refusedCoding }, '{}', charset),
      row('the coding before an unknown charset', { ...unknownCharset, ...refusedCoding }, '{}', coding),
      row('an unknown charset before the coding, with verify', { ...unknownCharset, ...refusedCoding }, '{}', charset,
        { verify: failing }),
      row('the coding before the length', { ...JSON_TYPE, ...refusedCoding }, '{}', coding, tooLarge),
      row('the length before an unknown charset', unknownCharset, '{}', large, tooLarge),
      row('an unknown charset before the length, with verify', unknownCharset, '{}', charset,
        { ...tooLarge, verify: failing }),
      row('the length before verify', JSON_TYPE, '{}', large, { ...tooLarge, verify: failing }),
      made('the length before setEncoding', set(tooLarge), JSON_TYPE, '{}', large),
      made('setEncoding before an unknown charset', set(), unknownCharset, '{}', encoding),
      made('setEncoding before the bytes', set(tooLarge), JSON_TYPE, '{}', encoding, { chunked: true }),
      made('setEncoding before verify', set({ verify: failing }), JSON_TYPE, '{}', encoding),
      made('setEncoding for a coded body, which its decoder reports', set(),
        { ...JSON_TYPE, 'Content-Encoding': 'gzip' }, zlib.gzipSync('{}'),
        { error: { status: 400, message: 'incorrect header check' } }),
      row('an unknown charset before the bytes', unknownCharset, '{}', charset, tooLarge, { chunked: true }),
      row('an unknown charset for a coded body', { ...unknownCharset, 'Content-Encoding': 'gzip' }, zlib.gzipSync('{}'),
        charset),
      row('the strict check before the syntax', JSON_TYPE, 'nope {',
        { error: { status: 400, type: 'entity.parse.failed' } })
    ])
  })
})
