'use strict'

const errors = require('../../core/errors')
const { withHandledPromises } = require('../../core/handled-promise')
const { claim, isClaimed, release } = require('../../core/request/claims')
const { declaresBody, hasHeaders, isRead, isStream } = require('../../core/request/facts')
const { isForm } = require('../parts/boundary')
const { PartLoop } = require('./loops')

/**
 * `parts(req, res)` of a parser: the parts, one after the other. Like a loop over
 * the records of ndjson, it reads nothing before the first one is asked for, but
 * claims the request at once: it may be asked behind other parsers.
 *
 * @param {(openLoop: (req: object) => PartLoop) => [middleware: Function, parser: object]} compose
 *   a parser whose forms give their parts to the loop over them
 */
module.exports = function createParts (compose) {
  const loops = new WeakMap() // request -> the loop over it
  const openLoop = (req) => {
    const loop = loops.get(req)
    loop.isForm = isForm(req.headers['content-type']) // it has named the boundary
    claim(req, 'loop')
    return loop
  }
  let composed = null

  return (req, res) => {
    composed ??= compose(openLoop)
    const isMine = isFree(req, composed[1])
    if (isMine) claim(req, 'loop')
    return withHandledPromises(parts(req, res, isMine))
  }

  async function * parts (req, res, isMine) {
    if (!hasHeaders(req)) throw errors.notARequest('parts()', 'multipart', req)
    const [middleware] = composed
    if (loops.has(req)) throw errors.notReadable() // another loop reads it
    const loop = new PartLoop()
    loops.set(req, loop)
    if (isMine) release(req)
    middleware(req, res, (...error) => loop.end(...error))
    try {
      yield * loop.items()
    } finally { // the loop may end before the parts do
      loop.stop()
      if (!isStream(req)) loops.delete(req) // it may carry the next request
    }
  }
}

/** Whether this parser would read the request now. */
function isFree (req, parser) {
  try {
    const { headers } = req
    if (!declaresBody(headers, req) || isRead(req) || isClaimed(req)) return false
    return !parser.matchHeader(req, headers).skip
  } catch { // not a request, or an error of option `type`: the loop tells it
    return false
  }
}
