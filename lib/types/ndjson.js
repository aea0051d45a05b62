'use strict'

// Nothing of ../ndjson and ../records is loaded before a parser is made.

const contentType = require('content-type')
const { precheck } = require('../body/collect')
const { nextTick } = require('../platform')
const errors = require('../errors')
const { claim } = require('../request/claims')
const createParser = require('../compose')
const { missingNext } = require('../body/read-promise')
const diagnostics = require('../insight/diagnostics')
const read = require('../read')

/** @type {import('../..').BodyParser['ndjson']} */
module.exports = function ndjson (options) { // see index.d.ts; console.log(ndjson()) shows the defaults
  const parser = createParser('ndjson', options, describe)
  return parser.wrap(function ndjsonParser (req, res, next) {
    if (typeof next !== 'function') throw missingNext()
    read(req, res, (...error) => {
      if (error.length === 0) next()
      else diagnostics.publishError('ndjson', { req, res, next }, error[0])
    }, parser)
  })
}

function describe (settings) {
  const { createLines, describeRecords } = require('../ndjson/parse')
  const readChunks = require('../records/chunks')
  const Records = require('../records/records')

  return {
    ...describeRecords(settings),
    input: 'bytes',
    isTraced: false, // `next` is called before the body is read; what the loop reads is traced
    createReader: (createDecoder) => (exchange, done) => {
      const obstacle = precheck(exchange)
      const isFlowing = obstacle === null && exchange.req.readableFlowing // as other code made it
      const onBegin = isFlowing ? pauseForLoop(exchange) : () => {}
      nextTick(done, exchange, obstacle, readChunks.bind(null, exchange, createDecoder, onBegin), 0)
    },
    parseStage: (proceed) => (exchange, content) => {
      const { parser, req } = exchange
      const isSequence = contentType.parse(req.headers['content-type'] ?? '').type === 'application/json-seq'
      const createChunks = Buffer.isBuffer(content) ? readChunks.replay.bind(null, exchange, content) : content
      const records = new Records(createChunks, createLines({ decode, isSequence }, parser), parser)
      try {
        req.body = records
        claim(req, 'loop')
      } catch (error) { // a setter of the app's
        exchange.fail(errors.thrown(error))
        return
      }
      proceed(exchange)
    }
  }
}

/**
 * Without a loop it flows on after the response: Node discards nothing that it has begun to read, and the next request
 * of the connection would never come.
 *
 * @returns {() => void} to be called when the loop begins
 */
function pauseForLoop ({ req, res }) {
  const resume = () => req.resume()
  req.pause()
  res?.once?.('close', resume)
  return () => res?.removeListener?.('close', resume)
}

const decode = ({ buffer, byteLength, byteOffset }) => Buffer.from(buffer, byteOffset, byteLength).toString()
