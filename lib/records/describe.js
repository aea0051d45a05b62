'use strict'

const { precheck } = require('../core/body/collect')
const { nextTick } = require('../core/platform')
const { claim } = require('../core/request/claims')
const { onceOf } = require('../core/request/listen')
const readChunks = require('./chunks')
const Records = require('./records')

/**
 * What all parsers of records are; see ../compose.js.
 *
 * @param {(req: object, parser: object, decode: (bytes: Uint8Array) => string) => import('./source').Source}
 *   createSource of one body
 */
module.exports = function describeLoop (createSource) {
  return {
    isTraced: false, // `next` is called before the body is read; what the loop reads is traced
    createStreamReader: (createDecoder) => (exchange, done) => {
      const { req } = exchange
      const obstacle = precheck(exchange)
      // As other code made it. Of what that has begun to read, nothing is left for a loop.
      const isFlowing = obstacle === null && req.readableFlowing && !req.readableDidRead
      const onBegin = isFlowing ? pauseForLoop(exchange) : () => {}
      nextTick(done, exchange, obstacle, readChunks.bind(null, exchange, createDecoder, onBegin), 0)
    },
    streamStage: (proceed) => (exchange, createChunks) => giveLoop(exchange, createChunks, proceed),
    parseStage: (proceed) => (exchange, bytes) => {
      giveLoop(exchange, readChunks.replay.bind(null, exchange, bytes), proceed)
    }
  }

  function giveLoop (exchange, createChunks, proceed) {
    const { parser, req } = exchange
    const records = new Records(createChunks, createSource(req, parser, decode), parser)
    if (!exchange.setField('body', records)) return
    claim(req, 'loop')
    proceed(exchange)
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
  return onceOf(res, 'close', resume)
}

const decode = ({ buffer, byteLength, byteOffset }) => Buffer.from(buffer, byteOffset, byteLength).toString()
