'use strict'

const { createPredicate, isMediaType, isTypePattern } = require('../core/checks')

/**
 * Knows no extension names: type-is, which does, needs modules of Node.
 *
 * @param {unknown} option `type`
 * @returns {(request: Request, type: string) => boolean}
 */
module.exports = function createTypeTest (option) {
  if (typeof option === 'function') return createPredicate(option, 'type')
  const types = [option].flat().map((type) => typeof type === 'string' ? type.replace(/^\+/, '*/*+') : type)
  if (types.length === 0 || !types.every(isTypePattern)) {
    throw new TypeError('option type must be a function, a media type in lower case, a pattern such as text/* or ' +
      '+json, or a list of these')
  }
  const sourceOf = (type) => type.replace(/[$^.+]/g, '\\$&').replaceAll('*', '[^/]+')
  const pattern = new RegExp(`^(?:${types.map(sourceOf).join('|')})$`)
  return (request, type) => isMediaType(type) && pattern.test(type)
}
