'use strict'

// The event loop, as it is when this package is loaded: where tests fake timers
// and clocks later, requests go on.

const { setImmediate, setTimeout } = require('node:timers')

const { hrtime, nextTick } = process

/** @returns {number} ms */
function now () {
  const [seconds, nanoseconds] = hrtime()
  return seconds * 1e3 + nanoseconds / 1e6
}

module.exports = { nextTick, now, setImmediate, setTimeout }
