'use strict'

/** @throws {TypeError} at once: later, it would be one that nothing catches */
module.exports = function checkNext (next) {
  if (typeof next !== 'function') throw new TypeError('next is not a function: without one, call `await parser.read(req, res)`')
}
