'use strict'

/**
 * Where a value is not what its shape says. In a shape, a string is what
 * `typeof` must give, a list of one shape is a list with something in it, and an
 * object names the fields that must be there.
 *
 * @param {unknown} value
 * @param {string | object | Array} shape
 * @param {string} [at] what the value is called
 * @returns {string | null} the first place
 */
function misfit (value, shape, at = '') {
  const type = typeof value
  if (typeof shape === 'string') return type === shape && !Number.isNaN(value) ? null : at
  if (Array.isArray(shape)) {
    return Array.isArray(value) && value.length > 0 ? firstOf(value.map((item, i) => misfit(item, shape[0], `${at}[${i}]`))) : at
  }
  if (type !== 'object' || value === null) return at
  return firstOf(Object.entries(shape).map(([key, inner]) => misfit(value[key], inner, `${at}.${key}`)))
}

function firstOf (places) {
  return places.find((place) => place !== null) ?? null
}

module.exports = misfit
