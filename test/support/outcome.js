'use strict'

// What a user can see of one request, as plain data that can be compared.

/** A value with its types: Buffers and prototypes are told apart. */
function typed (value) {
  if (Buffer.isBuffer(value)) return { buffer: value.toString('latin1') }
  if (Array.isArray(value)) return Array.from(value, typed)
  if (value !== null && typeof value === 'object') {
    const fields = Object.entries(value).map(([name, field]) => [name, typed(field)])
    return { prototype: Object.getPrototypeOf(value)?.constructor.name ?? null, fields }
  }
  return value === undefined ? 'undefined' : { [typeof value]: String(value) }
}

// But for the first, of JavaScriptCore.
const PLACES = ['stack', 'line', 'column', 'originalLine', 'originalColumn', 'sourceURL']

/** An error with all its fields, but for the frames of its stack. */
function typedError (error) {
  if (error === undefined) return 'none'
  if (error === null || typeof error !== 'object') return typed(error)
  const own = {}
  for (const name of Object.getOwnPropertyNames(error).sort()) {
    if (PLACES.includes(name)) continue
    own[name] = { enumerable: Object.prototype.propertyIsEnumerable.call(error, name), value: typed(error[name]) }
  }
  return {
    constructor: error.constructor.name,
    isError: error instanceof Error,
    status: error.status,
    statusCode: error.statusCode,
    expose: error.expose,
    type: error.type,
    message: error.message,
    title: error.stack?.slice(0, error.stack.indexOf('\n    at ')),
    own
  }
}

/** What is to be compared once `next` was called. */
function outcomeOf (req, error) {
  return {
    error: typedError(error),
    body: typed(req.body),
    hasBody: 'body' in req,
    complete: req.complete,
    ended: req.readableEnded
  }
}

module.exports = { outcomeOf, typed, typedError }
