'use strict'

// Option `drainLimit`, and requests that are given up before their end.

const { setTimeout } = require('../platform')
const { markClosing } = require('./facts')

/**
 * Reads nothing more, and closes the connection once the response is sent;
 * over HTTP/2, closes the stream of this request alone.
 */
function closeConnection ({ req, res }) {
  const { socket, stream } = req
  if (typeof req.complete !== 'boolean' || !socket) return // not a request of a connection
  req.pause?.()
  if (req.httpVersionMajor === 2) {
    if (typeof stream?.close !== 'function') return // a stand-in
    Object.defineProperties(req, { // finalhandler would read it to its end before it responds
      complete: { __proto__: null, value: true, writable: true },
      readable: { __proto__: null, value: false, writable: true }
    })
    onceFinished(stream, () => stream.close())
  } else if (socket.destroySoon !== undefined) { // else a wrapper's stand-in for a connection
    const close = () => closeInStages(socket)
    markClosing(socket)
    socket.pause()
    Object.defineProperties(socket, { // own properties in front of inherited ones
      // Keeps the server, and code that awaits the end of the request, from resuming.
      readable: { __proto__: null, value: false, writable: true },
      destroySoon: { __proto__: null, value: close, writable: true } // called by the server when the response is sent
    })
    if (res?.once === undefined) return // a stand-in
    res.shouldKeepAlive = false // makes the server send `Connection: close`
    onceFinished(res, close) // if the header was sent before
  }
}

function onceFinished (writable, act) {
  if (writable.writableFinished) act()
  else writable.once('finish', act)
}

const LINGER = 2000 // ms

/**
 * RFC 9112, section 9.6: closing a connection that holds unread bytes resets
 * it, which can take the response away from a client that is still sending.
 */
function closeInStages (socket) {
  socket.end()
  setTimeout(() => socket.destroy(), LINGER).unref?.() // a faked timer may lack it
}

module.exports = closeConnection
