'use strict'

// `Expect: 100-continue` (RFC 9110, section 10.1.1): the client sends the body
// once it is told to. Node tells it before it emits `request`, but leaves that
// to the listeners of a server's `checkContinue`.

/** Whether the client waits, as nobody has told it to send the body. */
function isContinueAwaited ({ req, res }) {
  if (req.headers.expect === undefined) return false
  if (req.httpVersionMajor === 2) return req.headers.expect === '100-continue' && isAwaitedOverHttp2(req.stream)
  return res?._expect_continue === true && !res._sent100 // what Node itself goes by when it sends the header
}

function isAwaitedOverHttp2 (stream) {
  return stream?.closed === false && stream.sentInfoHeaders === undefined
}

/** Tells the client to send the body, which is read from now on. */
function sendContinue (exchange) {
  if (isContinueAwaited(exchange) && !exchange.res.headersSent) exchange.res.writeContinue()
}

module.exports = { isContinueAwaited, sendContinue }
