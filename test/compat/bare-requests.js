'use strict'

// Requests that tests and adapters make of a stream and a few fields: nothing of a request is taken for granted.

const assert = require('node:assert/strict')
const zlib = require('node:zlib')
const theirs = require('body-parser')
const subject = require('fast-body-parser')
const { RESPONSES, SHAPES, createRequest, isSkipped, outcome } = require('../support/bare-request')

const BODY = Buffer.from('{"a":12345}')
const GZIP = zlib.gzipSync(BODY)
const TYPE = { 'content-type': 'application/json' }
const LENGTH = { ...TYPE, 'content-length': '11' }
const CHUNKED = { ...TYPE, 'transfer-encoding': 'chunked' }
const coded = (bytes) => ({ ...TYPE, 'content-encoding': 'gzip', 'content-length': String(bytes.length) })

/** What body-parser answers, whatever the shape. */
const CASES = {
  'a body': [LENGTH, BODY],
  'a body in chunks': [CHUNKED, BODY],
  'a body over the limit by its length': [LENGTH, BODY, { limit: 3 }],
  'a body over the limit by its bytes': [CHUNKED, BODY, { limit: 3 }],
  'an unknown charset': [{ ...LENGTH, 'content-type': 'application/json; charset=utf-x' }, BODY],
  'an unknown coding': [{ ...LENGTH, 'content-encoding': 'x' }, BODY],
  'a coded body in chunks': [{ ...CHUNKED, 'content-encoding': 'gzip' }, GZIP],
  'a corrupt coded body': [coded(BODY), BODY],
  'a body that cannot be parsed': [{ ...TYPE, 'content-length': '1' }, Buffer.from('{')],
  'a body that is shorter than declared': [{ ...TYPE, 'content-length': '99' }, BODY],
  'a length that is none, in chunks': [{ ...CHUNKED, 'content-length': 'x' }, BODY],
  'a length that is a number': [{ ...TYPE, 'content-length': 11 }, BODY],
  'a coding that is a number': [{ ...LENGTH, 'content-encoding': 7 }, BODY],
  'a transfer coding that is a number': [{ ...TYPE, 'transfer-encoding': 1 }, BODY],
  'an expectation that is a number': [{ ...LENGTH, expect: 100 }, BODY]
}

/** For which body-parser never calls `next` with some shapes. */
const OURS = {
  'a body that is aborted': [{}, (req) => req.destroy(), 'request.aborted'],
  'a body that fails': [{}, (req) => req.destroy(new Error('broken')), undefined],
  'a body over the limit that never ends': [{ limit: 1 }, () => {}, 'entity.too.large']
}

const ANSWERS = Object.entries(RESPONSES)
const NAMES = ['json', 'raw', 'text', 'urlencoded']

describe('bare requests', () => {
  for (const [s, [what, shape]] of Object.entries(SHAPES).entries()) {
    // One parser and one response in turn: there is every pair of a shape, a response, a case and a parser.
    it(`have the same outcome as with body-parser: ${what}`, async () => {
      for (const [c, [content, [headers, body, options]]] of Object.entries(CASES).entries()) {
        const name = NAMES[(s + c) % NAMES.length]
        const [response, res] = ANSWERS[(s + c) % ANSWERS.length]
        const ask = ({ [name]: make }) => {
          const parser = make({ type: 'application/json', ...options })
          return outcome(parser, createRequest(shape, headers), res, (req) => req.end(body))
        }
        const [ours, expected] = [await ask(subject), await ask(theirs)]
        assert.deepEqual(ours, expected, `${name}, ${content}, ${response}`)
      }
    })

    it(`fail where body-parser waits for ever: ${what}`, async () => {
      for (const [content, [options, act, type]] of Object.entries(OURS)) {
        const req = createRequest(shape, CHUNKED)
        const { error } = await outcome(subject.json(options), req, undefined, () => {
          req.write(BODY.subarray(0, 5))
          setImmediate(act, req)
        })
        if (isSkipped(shape())) assert.equal(error, 'none', content)
        else assert.equal(error.type, type, content)
      }
    })
  }

  it('fail with a TypeError if their Content-Type is not a string, which body-parser throws', async () => {
    for (const name of [...NAMES, 'createParser', 'multipart', 'ndjson']) {
      const parse = (content) => content
      const parser = subject[name](name === 'createParser' ? { type: 'a/b', parse } : {})
      for (const type of [7, ['application/json'], {}]) {
        const req = createRequest(SHAPES['no socket'], { 'content-type': type, 'content-length': '11' })
        assert.equal(await outcome(parser, req, {}, (req) => req.end(BODY)), 'TypeError', name)
      }
    }
  })
})
