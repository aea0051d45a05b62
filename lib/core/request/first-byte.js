'use strict'

// Whether a request of undeclared length has content. Proxies send requests
// without any in chunks, and over HTTP/2 a stream may end with an empty frame:
// only the bytes tell. None is taken from the request.

const errors = require('../errors')
const listen = require('./listen')

/**
 * @param {object} req of which nothing has been read
 * @param {object} [res]
 * @param {(error: Error | null, hasContent: boolean) => void} tell is called once, at once or in the async context of
 *   the request; with an error if the client leaves before
 * @returns {() => void} waits no longer
 */
module.exports = function awaitFirstByte (req, res, tell) {
  if (isDeclared(req) || req.readableLength !== 0) {
    tell(null, true)
    return () => {}
  }
  const stopListening = listen([
    [req, 'readable', () => req.readableLength > 0 ? end(null, true) : req.read()],
    [req, 'end', () => end(null, false)],
    [req, 'close', () => end(errors.aborted(null, 0), false)]
  ])
  return stop

  function stop () {
    stopListening()
    drainAfterResponse(req, res)
  }

  function end (error, hasContent) {
    stop()
    tell(error, hasContent)
  }
}

/** A client announces content by `Expect` as well (RFC 9110, section 10.1.1), and may wait until it is asked for it. */
const isDeclared = ({ headers }) => headers.expect !== undefined ||
  (headers['transfer-encoding'] === undefined && headers['content-length'] !== undefined)

/** When the response is sent, Node.js discards a body that nobody has begun to read. */
function drainAfterResponse (req, res) {
  if (req.httpVersionMajor === 2) listen.ignoreErrors(() => listen.closeAnswered(req)) // a stand-in may have no methods
  else listen.onceOf(res, 'finish', () => req.resume())
}
