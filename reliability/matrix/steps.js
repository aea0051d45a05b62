'use strict'

// When somebody acts: once the app has been given something, or the parser called; or else beside the parser, in a
// listener, or in a function that the parser calls.

/**
 * @typedef {object} Step
 * @property {(act: () => void, exchange: import('./exchange')) => void} [wait] calls `act`
 * @property {(parts: { req: object, parse: () => void, act: () => void }) => void} [arrange] calls the parser
 * @property {'verify' | 'parse' | 'fileFilter' | 'next'} [hook] the function that acts
 * @property {boolean} [isAmid] when half of the body is there, and no more comes
 * @property {boolean} [isOfApp] with what it is given, and never with a request
 */

/** @type {Record<string, Step>} */
const steps = {
  'at once': { wait: (act) => act() },
  'in a microtask': { wait: queueMicrotask },
  'in the next tick': { wait: process.nextTick },
  'in an immediate': { wait: setImmediate },
  'after the client': { isOfApp: true, wait: (act, { sent }) => sent.then(act) },
  'before the parser': {
    arrange ({ parse, act }) {
      act()
      parse()
    }
  },
  'amid the body': { isAmid: true, arrange: ({ parse }) => parse() },
  'on end, before ours': listening('end', 1, true),
  'on end, after ours': listening('end', 1, false)
}

for (const hook of ['verify', 'parse', 'fileFilter', 'next']) {
  steps[`in ${hook}`] = { hook, arrange: ({ parse }) => parse() }
}

for (const nth of [1, 2, 3, 4]) {
  steps[`on chunk ${nth}, before ours`] = listening('data', nth, true)
  steps[`on chunk ${nth}, after ours`] = listening('data', nth, false)
}

function listening (event, nth, isFirst) {
  return {
    arrange ({ req, parse, act }) {
      let count = 0
      const listener = () => { if (++count === nth) act() }
      if (isFirst) req.on(event, listener)
      parse()
      if (!isFirst) req.on(event, listener)
    }
  }
}

module.exports = steps
