'use strict'

// How long a client has had to wait: for a store or a loop of the app, or for the budget. The fields are the reading's:
// `waits`, how many things it waits for now; `waited`, ms without the current wait; `waitsSince`, when that began.

const { performance } = require('../platform')

/** Counts nested waits; the clock starts at the first. @param {import('./guards').Reading} reading */
function beginWait (reading) {
  if (++reading.waits === 1) reading.waitsSince = performance.now()
}

/** @param {import('./guards').Reading} reading */
function endWait (reading) {
  if (--reading.waits > 0) return
  reading.waited += performance.now() - reading.waitsSince
  reading.waitsSince = null
}

module.exports = { beginWait, endWait }
