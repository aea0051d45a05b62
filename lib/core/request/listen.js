'use strict'

/**
 * @param {[emitter: import('node:events'), event: string, listener: Function][]} listeners added in this order
 * @returns {() => void} removes them
 */
module.exports = function listen (listeners) {
  for (const [emitter, event, listener] of listeners) emitter.on(event, listener)
  return () => { for (const [emitter, event, listener] of listeners) emitter.removeListener?.(event, listener) }
}
