'use strict'

// Faults of connections and of framing, sent byte for byte, and compared with
// body-parser.

const assert = require('node:assert/strict')
const zlib = require('node:zlib')
const oracle = require('body-parser')
const subject = require('fast-body-parser')
const { asChunk, LAST_CHUNK, serializeHead, serializeRequest } = require('../../../tools/http-message')
const LocalServer = require('../../../tools/local-server')
const Talk = require('../../../tools/talk')
const HANG_TIME = require('../../support/hang-time')

const JSON_TYPE = { 'Content-Type': 'application/json' }
const GZIP = { ...JSON_TYPE, 'Content-Encoding': 'gzip' }
const CHUNKED = { 'Transfer-Encoding': 'chunked' }
const large = zlib.gzipSync(JSON.stringify(Array.from({ length: 10_000 }, Math.random)))

/** A request as bytes. */
const request = (path, headers, body, more) => serializeRequest({ path, headers, body: Buffer.from(body), ...more })
const headOf = (headers) => serializeHead({}, { Host: 'test', ...JSON_TYPE, ...headers })

/** The parsers of an app, by path. */
function appOf (bodyParser) {
  const no = () => { throw new Error('no') }
  return {
    '/': bodyParser.json(),
    '/small': bodyParser.json({ limit: 10 }),
    '/verify': bodyParser.json({ verify: no })
  }
}

const statuses = ({ text }) => Array.from(text.matchAll(/HTTP\/1.1 (\d+) /g), ([, status]) => Number(status))

/**
 * Sends these pieces to an app, and waits until `isDone`.
 *
 * @returns {Promise<{ outcomes: string[], talk: Talk }>} of each call of `next`
 */
async function play (bodyParser, pieces, isDone, options) {
  const app = appOf(bodyParser)
  const outcomes = []
  const server = await LocalServer.open((req, res) => app[req.url](req, res, (error) => {
    const outcome = error === undefined ? JSON.stringify(req.body) : `${error.status} ${error.type}`
    outcomes.push(outcome)
    talk.check()
    res.statusCode = error?.status ?? 200
    res.end(`<${outcome}>`)
  }), options)
  const talk = await Talk.open(server, { allowHalfOpen: true })
  talk.socket.on('end', () => talk.halfClose())
  for (const piece of pieces) talk.write(piece)
  await talk.until(() => isDone(talk, outcomes), HANG_TIME)
  server.close()
  return { outcomes, talk }
}

/** Sends them to both packages; `show` gives what is compared. */
async function compare (pieces, isDone, show, expected, options) {
  const ours = show(await play(subject, pieces, isDone, options))
  const theirs = show(await play(oracle, pieces, isDone, options))
  if (expected !== undefined) assert.deepEqual(ours, expected)
  assert.deepEqual(ours, theirs, 'differs from body-parser')
}

const messages = {
  'of declared length': request('/', JSON_TYPE, '{"a":1}'),
  'in chunks': request('/', JSON_TYPE, '{"a":1}', { chunked: true }),
  coded: request('/', GZIP, zlib.gzipSync('{"a":1}')),
  'coded, in chunks': request('/', GZIP, zlib.gzipSync('{"a":1}'), { chunked: true })
}

describe('connections', () => {
  const isAnswered = (talk, outcomes) => outcomes.length > 0

  describe('with wrong framing', () => {
    for (const [length, pieces, fields] of [
      [2, ['{}', 'hello']],
      [9, ['{}']],
      [2, ['{}', ' '.repeat(200_000)]],
      [9, [zlib.gzipSync('{}')], GZIP]
    ]) {
      const what = `${pieces.length} chunks${fields ? ' of gzip' : ''}`
      it(`of a length of ${length} beside ${what}, for insecureHTTPParser`, () => {
        const head = headOf({ ...fields, 'Content-Length': length, ...CHUNKED })
        return compare([Buffer.concat([Buffer.from(head), ...pieces.map(asChunk), LAST_CHUNK])], isAnswered,
          ({ outcomes }) => outcomes, undefined, { insecureHTTPParser: true })
      })
    }
  })

  const faults = {
    'invalid JSON': [request('/', JSON_TYPE, '{"a":'), '400 entity.parse.failed'],
    'a length over the limit': [request('/small', JSON_TYPE, '{"a":"123456789"}'), '413 entity.too.large'],
    'chunks over the limit': [
      request('/small', JSON_TYPE, '{"a":"123456789"}', { chunked: true }), '413 entity.too.large'
    ],
    'a large coded body over the limit': [request('/small', GZIP, large), '413 entity.too.large'],
    'a corrupt coded body': [request('/', GZIP, 'junk that is not gzip'), '400 undefined'],
    'an unknown coding': [request('/', { ...JSON_TYPE, 'Content-Encoding': 'x' }, '{}'), '415 encoding.unsupported'],
    'a body that verify refuses': [request('/verify', JSON_TYPE, '{}'), '403 entity.verify.failed']
  }
  const good = messages['of declared length']
  const chunked = messages['in chunks']

  describe('serve pipelined requests in order after', () => {
    const show = ({ outcomes, talk }) =>
      [outcomes.toSorted(), Array.from(talk.text.matchAll(/<(.*?)>/g), ([, outcome]) => outcome)]
    const check = (bytes, answers) => compare([bytes], (talk) => statuses(talk).length === answers.length, show,
      [answers.toSorted(), answers])

    for (const [what, [message, expected]] of Object.entries(faults)) {
      it(what, () => check(Buffer.concat([message, good, message, chunked]),
        [expected, '{"a":1}', expected, '{"a":1}']))
    }

    it('sixty bodies in one packet', () => {
      const bodies = Array.from({ length: 60 }, (_, index) => JSON.stringify({ index }))
      const requests = bodies.map((body, index) => index % 3 === 2
        ? request('/', GZIP, zlib.gzipSync(body), { chunked: index % 2 === 1 })
        : request('/', JSON_TYPE, body, { chunked: index % 2 === 1 }))
      return check(Buffer.concat(requests), bodies)
    })
  })
})
