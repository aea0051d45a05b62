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

/**
 * Leaves the promise's own call stack: what `next` throws is no rejection. The
 * promise around it calls back once, whatever `then` does: Promise.resolve
 * would hand back a promise that somebody has given a `then` of its own.
 */
function settleLater (promise, succeed, fail) {
  new Promise((resolve) => resolve(promise)).then((value) => nextTick(succeed, value), (error) => nextTick(fail, error))
}

module.exports = { nextTick, now, setImmediate, setTimeout, settleLater }
