'use strict'

// A case -> what is done: middlewares to make, messages to send, and how the
// connection ends.

const { perilousVerify } = require('./generate/functions')
const { createMessage } = require('./message')

/**
 * @typedef {object} Plan
 * @property {import('./generate/case').Case} case with limits that are numbers
 * @property {import('./message').Message[]} messages
 * @property {{ how: 'keep' | 'cut' | 'half' | 'reset', at?: number, pause?: string }} end
 * @property {boolean} perilous may end the process: nothing else may run
 * @property {boolean} hangs is known to hang body-parser: no need to wait long
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
    end: whole || generated.end.how !== 'keep' ? generated.end : { how: 'half', at: 1000, pause: 'delivered' },
    perilous: stack.some(({ options }) => isPerilous(options)),
    hangs: /\.pause\(\)/.test(String(generated.before))
  }
}

/**
 * Up to the first message that nothing can follow: it has no end, and would go
 * on; or the connection ends with it, and whether its answer still arrives when
 * more was sent is a matter of chance.
 */
function readable (messages) {
  const last = messages.findIndex((message) => !message.clean || closes(message))
  return last === -1 ? messages : messages.slice(0, last + 1)
}

function closes ({ request, headers }) {
  return request.version === '1.0' || headers.some(([name, value]) => name === 'Connection' && value === 'close')
}

/** Without what is not given; and a limit near a length becomes a number. */
function settle (options, { content, body }) {
  if (typeof options !== 'object' || options === null) return options
  const settled = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
  const { limit } = settled
  if (limit?.near !== undefined) settled.limit = Math.max(0, (limit.near === 'coded' ? body : content).length + limit.off)
  return settled
}

function isPerilous (options) {
  const charset = options?.defaultCharset
  return perilousVerify.includes(options?.verify) || (Boolean(charset) && typeof charset !== 'string')
}

module.exports = { createPlan }
