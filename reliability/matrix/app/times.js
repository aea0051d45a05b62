'use strict'

// When the app acts, once it has been given something. Each calls `act`, in its
// turn.

/** @type {Record<string, (act: () => void, exchange: import('./exchange')) => void>} */
module.exports = {
  'at once': (act) => act(),
  'in a microtask': queueMicrotask,
  'in the next tick': process.nextTick,
  'in an immediate': setImmediate,
  'after the client': (act, { sent }) => sent.then(act)
}
