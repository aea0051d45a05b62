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

describe('order of checks', () => {
  describe('a request without a body', () => {
    table([
      row('gets req.body, and next is called at once', {}, undefined, { body: undefined }),
      row('gets req.body, and next is called at once, for a GET', JSON_TYPE, undefined, { body: undefined }, {},
        { method: 'GET' }),
      { it: 'keeps the req.body that it has',
        make: (bodyParser) => stack((req, res, next) => {
          req.body = 'own'
          next()
        }, bodyParser.json()),
        expect: { body: 'own' } },
      { it: 'passes through a stack of parsers', make: four, expect: { body: undefined } }
    ])
  })

  describe('a body of another type', () => {
    table([
      row('is skipped at once', { 'Content-Type': 'text/html' }, 'x', { body: undefined }),
      row('is skipped even if it is over the limit', { 'Content-Type': 'text/html' }, 'x'.repeat(200),
        { body: undefined }, { limit: 1 }),
      row('is skipped even if its coding is unknown', { 'Content-Type': 'text/html', 'Content-Encoding': 'bogus' }, 'x',
        { body: undefined }),
      { it: 'keeps the req.body that is there',
        make: (bodyParser) => stack((req, res, next) => {
          req.body = 'own'
          next()
        }, bodyParser.json()),
        headers: { 'Content-Type': 'text/html' },
        body: 'x',
        expect: { body: 'own' } },
      ...Object.entries({
        'application/json': '{"a":1}',
        'application/x-www-form-urlencoded': 'a=1',
        'text/plain': 'a',
        'application/octet-stream': 'a',
        'a/b': 'a'
      })
        .map(([type, body]) => ({
          it: `${type} is parsed by its parser in a stack`,
          make: four,
          headers: { 'Content-Type': type },
          body
        }))
    ])
  })

  describe('an existing req.body', () => {
    const own = (bodyParser) => stack((req, res, next) => { req.body = 'own'; next() }, bodyParser.json({ limit: 9 }))
    table([
      { it: 'is replaced by the parsed body',
        make: own,
        headers: JSON_TYPE,
        body: '{"a":1}',
        expect: {
          body: { a: 1 }
        } },
      { it: 'stays if parsing fails',
        make: own,
        headers: JSON_TYPE,
        body: '{"a":',
        expect: {
          error: { status: 400 }
        } },
      { it: 'stays if the body is over the limit',
        make: own,
        headers: JSON_TYPE,
        body: '{"a":12345}',
        expect: {
          error: { status: 413 }
        } },
      { it: 'stays if the charset is refused',
        make: own,
        headers: {
          'Content-Type': 'application/json; charset=x'
        },
        body: '{}',
        expect: { error: { status: 415 } } },
      { it: 'stays if the coding is refused',
        make: own,
        headers: {
          ...JSON_TYPE,
          'Content-Encoding': 'x'
        },
        body: '{}',
        expect: { error: { status: 415 } } }
    ])
  })

  describe('a second parser', () => {
    table([
      { it: 'does nothing after one of the same type',
        make: (bodyParser) => stack(bodyParser.json(),
          bodyParser.json({ limit: 0 })),
        headers: JSON_TYPE,
        body: '{"a":1}',
        expect: { body: { a: 1 } } },
      { it: 'does nothing after one of another type',
        make: (bodyParser) => stack(bodyParser.text({ type: '*/*' }),
          bodyParser.json()),
        headers: JSON_TYPE,
        body: '{"a":1}',
        expect: { body: '{"a":1}' } },
      { it: 'does nothing even if req.body was deleted',
        make: (bodyParser) => stack(bodyParser.json(),
          (req, res, next) => { delete req.body; next() }, bodyParser.json()),
        headers: JSON_TYPE,
        body: '{"a":1}' },
      { it: 'does not call its type function',
        make: (bodyParser) => stack(bodyParser.json(),
          bodyParser.raw({ type: () => { throw new Error('asked') } })),
        headers: JSON_TYPE,
        body: '{}',
        expect: { body: {} } },
      {
        it: 'does nothing after other code has read the request',
        make: (bodyParser) => stack((req, res, next) => { req.resume().on('end', () => setImmediate(next)) },
          bodyParser.json()),
        headers: JSON_TYPE,
        body: '{"a":1}',
        ignore: ['complete']
      }
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
      { it: 'the length before setEncoding', make: set(tooLarge), headers: JSON_TYPE, body: '{}', expect: large },
      {
        it: 'setEncoding before an unknown charset',
        make: set(),
        headers: unknownCharset,
        body: '{}',
        expect: encoding
      },
      { it: 'setEncoding before the bytes',
        make: set({
          limit: 1
        }),
        headers: JSON_TYPE,
        body: '{}',
        chunked: true,
        expect: encoding },
      { it: 'setEncoding before verify',
        make: set({
          verify: failing
        }),
        headers: JSON_TYPE,
        body: '{}',
        expect: encoding },
      { it: 'setEncoding for an empty body', make: set(), headers: JSON_TYPE, body: '', expect: encoding },
      { it: 'setEncoding for a coded body, which its decoder reports',
        make: set(),
        headers: {
          ...JSON_TYPE,
          'Content-Encoding': 'gzip'
        },
        body: zlib.gzipSync('{}'),
        expect: { error: { status: 400, message: 'incorrect header check' } } },
      row('an unknown charset before the bytes', unknownCharset, '{}', charset, tooLarge, { chunked: true }),
      row('an unknown charset for a coded body', { ...unknownCharset, 'Content-Encoding': 'gzip' }, zlib.gzipSync('{}'),
        charset),
      row('an unknown charset for a coded body in chunks', { ...unknownCharset, 'Content-Encoding': 'gzip' },
        zlib.gzipSync('{}'), charset, {}, { chunked: true }),
      row('an unknown charset before a corrupt body', { ...unknownCharset, 'Content-Encoding': 'gzip' }, 'junk',
        charset),
      row('the strict check before the syntax', JSON_TYPE, 'nope {',
        { error: { status: 400, type: 'entity.parse.failed' } })
    ])
  })
})
