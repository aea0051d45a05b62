'use strict'

const { createPredicate } = require('../checks')

const TOKEN = '[a-z0-9!#$&^_.+-]+'
const PATTERN = new RegExp(`^(\\+${TOKEN}|(\\*|${TOKEN})/(\\*|(\\*\\+)?${TOKEN}))$`)

/**
 * Knows no extension names: type-is, which does, needs modules of Node.
 *
 * @param {unknown} option `type`
 * @returns {(request: Request, type: string) => boolean}
 */
module.exports = function createTypeTest (option) {
  if (typeof option === 'function') return createPredicate('type', option)
  const types = [option].flat()
  if (types.length === 0 || types.some((type) => typeof type !== 'string' || !PATTERN.test(type))) {
    throw new TypeError('option type must be a function, a media type in lower case, a pattern such as text/* or ' +
      '+json, or a list of these')
  }
  const sourceOf = (type) => type.replace(/^\+/, '*/*+').replace(/[$^.+]/g, '\\$&').replaceAll('*', () => TOKEN)
  const patterns = types.map((type) => new RegExp(`^${sourceOf(type)}$`))
  return (request, type) => patterns.some((pattern) => pattern.test(type))
}
