'use strict'

const { tagOf } = require('./checks')
const sharedTables = require('./shared-tables')

/**
 * Returns an error to which the fields of one request may be written: the first
 * time, the error itself. If the app throws the same object again (a constant, or
 * that of a cached promise), an object that inherits from it, so that no request
 * sees the body, status or type of another.
 *
 * @param {unknown} error thrown by code of the app
 * @returns {unknown}
 */
module.exports = function isolateError (error) {
  try {
    if (!(error instanceof Error) || !Object.isExtensible(error)) return error // http-errors makes a new one
    sharedTables.originals ??= new WeakMap()
    const original = sharedTables.originals.get(error)
    if (original !== undefined) return Object.create(error, original)
    const { status, statusCode, type } = error
    sharedTables.originals.set(error, { ...descriptorsOf({ status, statusCode, type }), ...describeMessage(error) })
  } catch {} // getters and proxies may throw
  return error
}

/** Descriptors of the message as the app has written it: parsers may change that property of the error. */
function describeMessage (error) {
  if (tagOf(error) === '[object DOMException]') { // its getters throw for an object that inherits from it
    const { name, message, code } = error
    return descriptorsOf({ name, message, code })
  }
  const { message } = descriptorsOf(error)
  return message && { message }
}

/** Descriptors without prototypes: if somebody has set `Object.prototype.get`, they would inherit it. */
function descriptorsOf (object) {
  const descriptors = Object.getOwnPropertyDescriptors(object)
  for (const descriptor of Object.values(descriptors)) Object.setPrototypeOf(descriptor, null)
  return descriptors
}
