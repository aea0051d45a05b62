'use strict'

// When other code acts: beside the parser, in a listener of its own, or in a
// function that the parser calls.

/**
 * @typedef {object} Step
 * @property {(parts: { req: object, parse: () => void, act: () => void }) => void} [arrange]
 *   calls the parser
 * @property {'verify' | 'parse' | 'fileFilter' | '_handleFile' | 'next'} [hook] the function that acts
 * @property {boolean} [isAmid] when half of the body is there, and no more comes
 */

/** @type {Record<string, Step>} */
const steps = {
  'before the parser': {
    arrange ({ parse, act }) {
      act()
      parse()
    }
  },
  'after the parser': {
    arrange ({ parse, act }) {
      parse()
      act()
    }
  },
  'in a microtask': later(queueMicrotask),
  'in the next tick': later(process.nextTick),
  'in an immediate': later(setImmediate),
  'amid the body': { isAmid: true, arrange: ({ parse }) => parse() },
  'on end, before ours': listening('end', 1, true),
  'on end, after ours': listening('end', 1, false),
  'in verify': { hook: 'verify', arrange: ({ parse }) => parse() },
  'in parse': { hook: 'parse', arrange: ({ parse }) => parse() },
  'in a filter': { hook: 'fileFilter', arrange: ({ parse }) => parse() },
  'in an engine': { hook: '_handleFile', arrange: ({ parse }) => parse() },
  'in next': { hook: 'next', arrange: ({ parse }) => parse() }
}

for (const nth of [1, 2, 3, 4]) {
  steps[`on chunk ${nth}, before ours`] = listening('data', nth, true)
  steps[`on chunk ${nth}, after ours`] = listening('data', nth, false)
}

function later (schedule) {
  return {
    arrange ({ parse, act }) {
      parse()
      schedule(act)
    }
  }
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
