'use strict'

// Runs a stack of parsers on one request, and records what they do.

const { AsyncLocalStorage } = require('node:async_hooks')
const { outcomeOf, typed, typedError } = require('../../test/support/outcome')
const { watchListeners, watchNext } = require('../../tools/watch-next')

const storage = new AsyncLocalStorage()

/**
 * @typedef {object} Seen
 * @property {string} [coding] Content-Encoding of the request
 * @property {string} [type] Content-Type of the request
 * @property {object[]} steps of each parser that was called: whether `next`
 *   came at once and how often, its error, `req.body`, the async context
 * @property {object[]} calls of functions in the options
 * @property {string[]} [listeners] left on the request
 * @property {boolean} settled
 */

/**
 * @param {object} stack
 * @param {Function | undefined} stack.before
 * @param {{ parser: Function, gap: Function }[]} stack.layers
 * @param {Seen} seen
 * @param {Function} onSettled
 */
function observe ({ before, layers }, req, res, seen, onSettled) {
  const listenersLeft = watchListeners(req)

  const run = (index) => {
    if (index === layers.length) return settle()
    const { parser, gap } = layers[index]
    const step = {}
    seen.steps.push(step)
    const proceed = (...args) => {
      Object.assign(step, outcomeOf(req, args[0]), { given: args.length, context: storage.getStore() === seen })
      if (args.length > 0) settle()
      else gap(() => run(index + 1))
    }
    try {
      const result = watchNext((next) => parser(req, res, next), step, proceed)
      if (result !== undefined) step.returned = typed(result)
    } catch (error) {
      step.thrown = typedError(error)
      settle()
    }
  }

  const settle = () => setImmediate(() => setImmediate(() => {
    seen.listeners = listenersLeft()
    seen.settled = true
    res.end()
    onSettled()
  }))

  if (before === undefined) storage.run(seen, run, 0)
  else storage.run(seen, before, req, () => storage.run(seen, run, 0))
}

/**
 * The options, with functions that record their arguments.
 *
 * @param {unknown} options
 */
function recording (options) {
  if (typeof options?.verify !== 'function') return options
  const { verify } = options
  return {
    ...options,
    verify (...args) {
      const seen = storage.getStore()
      const [, , bytes, charset] = args
      seen?.calls.push({
        count: args.length,
        bytes: typed(bytes),
        charset: typed(charset),
        body: typed(args[0].body),
        this: this === undefined || this === globalThis
      })
      return verify.apply(this, args)
    }
  }
}

module.exports = { observe, recording }
