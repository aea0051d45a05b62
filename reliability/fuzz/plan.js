'use strict'

// Makes a plan of a case: middlewares to make, messages to send, and how the
// connection ends.

const { createMessage } = require('./message')

/**
 * @typedef {object} Plan
 * @property {import('./generate/case').Case} case with limits that are numbers
 * @property {import('./message').Message[]} messages
 * @property {{ how: 'keep' | 'close' | 'halfClose' | 'reset', at?: number, pause?: string }} end
 */

/**
 * @param {import('./generate/case').Case} generated
 * @returns {Plan}
 */
function createPlan (generated) {
  const messages = readable(generated.requests.map(createMessage))
  const stack = generated.stack.map((layer) => ({ ...layer, options: settle(layer.options, messages[0]) }))
  const whole = messages.every((message) => message.whole)
  return {
    case: { ...generated, stack },
    messages,
    end: whole || generated.end.how !== 'keep' ? generated.end : { how: 'halfClose', at: 1000, pause: 'delivered' }
  }
}

/**
 * Up to the first message that no other can follow: it has no end, or the
 * connection ends with it, and its response arrives only by chance if more was sent.
 */
function readable (messages) {
  const last = messages.findIndex((message) => !message.clean || closes(message))
  return last === -1 ? messages : messages.slice(0, last + 1)
}

function closes ({ request, headers }) {
  return request.version === '1.0' || headers.some(([name, value]) => name === 'Connection' && value === 'close')
}

/** Drops options that are not given, and makes a limit near a length a number. */
function settle (options, { content, body }) {
  if (typeof options !== 'object' || options === null) return options
  const settled = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  const { limit } = settled
  if (limit?.near !== undefined) {
    settled.limit = Math.max(0, (limit.near === 'coded' ? body : content).length + limit.off)
  }
  return settled
}

module.exports = { createPlan }
