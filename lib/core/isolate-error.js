'use strict'

const { tagOf } = require('./checks')
const sharedTables = require('./shared-tables')

/**
 * An error that may be given the fields of one request. If the app throws the
 * same object again (a constant, or a cached promise), an object that inherits
 * from it, so that no request sees the body, status or type of another.
 *
 * @param {unknown} error thrown by code of the app
 * @returns {unknown} the same the first time
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

/** Descriptors of the message, which is own in every error that is thrown for the first time. */
function describeMessage (error) {
  if (tagOf(error) === '[object DOMException]') { // its getters throw for an object that inherits from it
    const { name, message, code } = error
    return descriptorsOf({ name, message, code })
  }
  const { message } = descriptorsOf(error)
  return message && { message }
}

/** Without prototypes, as somebody may have set `Object.prototype.get`. */
function descriptorsOf (object) {
  const descriptors = Object.getOwnPropertyDescriptors(object)
  for (const descriptor of Object.values(descriptors)) Object.setPrototypeOf(descriptor, null)
  return descriptors
}
