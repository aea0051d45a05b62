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
    if (origin !== undefined) return Object.create(error, origin)
    const { status, statusCode, type } = error
    const { message } = Object.getOwnPropertyDescriptors(error) // own in whatever is thrown for the first time
    origins.set(error, { ...Object.getOwnPropertyDescriptors({ status, statusCode, type }), ...(message && { message }) })
  } catch {} // getters and proxies throw what they like
  return error
}

module.exports = unshare
