'use strict'

// `Expect: 100-continue` (RFC 9110, section 10.1.1): the client sends the body
// once it is told to. Node tells it before it emits `request`, but leaves that
// to the listeners of a server's `checkContinue`.

const { ignoreErrors } = require('./listen')

/** Whether the client waits until it is told to send the body. */
function isContinueAwaited ({ req, res }) {
  const { headers: { expect }, httpVersionMajor, stream } = req
  if (expect === undefined) return false
  if (httpVersionMajor !== 2) { // as Node.js decides
    return ignoreErrors(() => res._expect_continue === true && !res._sent100)
  }
  return expect === '100-continue' && stream?.closed === false && stream.sentInfoHeaders === undefined
}

/** Tells the client to send the body, which is read from now on. */
function sendContinue (exchange) {
  const { res } = exchange
  if (isContinueAwaited(exchange)) ignoreErrors(() => { if (!res.headersSent) res.writeContinue() })
}

module.exports = { isContinueAwaited, sendContinue }
