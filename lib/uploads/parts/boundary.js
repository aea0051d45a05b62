'use strict'

const contentType = require('content-type')
const errors = require('../../core/errors')

/**
 * @typedef {object} BoundaryRules
 * @property {RegExp} valid
 * @property {boolean} takesFirst of several boundaries, which are invalid otherwise
 * @property {(what: 'missing' | 'invalid') => Error} createError
 */

/** @type {BoundaryRules} */
const RFC_2046 = { // section 5.1.1
  valid: /^[\w'()+,./:=? -]{0,69}[\w'()+,./:=?-]$/,
  takesFirst: false,
  createError: (what) => errors.create(400, `the boundary is ${what}`, { type: `multipart.boundary.${what}` })
}
// What browsers and most other clients write.
const ORDINARY = /^multipart\/form-data; boundary=([\w-]{1,70})$/
const REPEATED = /;\s*boundary\s*=.*;\s*boundary\s*=/i

/**
 * @param {string} field the Content-Type
 * @param {BoundaryRules} [rules]
 * @throws {Error} 400 if the boundary is missing or invalid
 */
function boundaryOf (field, { createError, takesFirst, valid } = RFC_2046) {
  const ordinary = ORDINARY.exec(field)
  if (ordinary !== null) return ordinary[1]
  const { boundary } = contentType.parse(field).parameters
  if (boundary === undefined) throw createError('missing')
  if (!valid.test(boundary) || (REPEATED.test(field) && !takesFirst)) throw createError('invalid')
  return boundary
}

/** Whether each part needs a name. A type that is not multipart is one that option `type` has let pass. */
function isForm (field) {
  const { type } = contentType.parse(field)
  return type === 'multipart/form-data' || !type.startsWith('multipart/')
}

module.exports = { boundaryOf, isForm }
