'use strict'

const origins = new WeakMap() // error -> what it said of itself before it got anything of ours

/**
 * An error that may be given the fields of one request. Who throws the same
 * one again (a constant, or a promise that is remembered) gets an heir of it
 * then, so that no request sees another's body, status or type.
 *
 * @param {unknown} error what code of the app has thrown
 * @returns {unknown} the same, the first time
 */
function unshare (error) {
  try {
    if (!(error instanceof Error) || !Object.isExtensible(error)) return error // http-errors makes a new one
    const origin = origins.get(error)
    if (origin !== undefined) return Object.create(error, Object.getOwnPropertyDescriptors(origin))
    const { status, statusCode, type } = error
    origins.set(error, { status, statusCode, type })
  } catch {} // getters and proxies throw what they like
  return error
}

module.exports = unshare
