'use strict'

// Option `qs` of urlencoded: options of qs that urlencoded does not have.

const createNestedParse = require('./nested')
const { limitParameters } = require('./describe')

/** Changes a parser that is being composed. */
module.exports = function extendParser (parser, settings) {
  const { decoder, ...rest } = settings.qs
  const options = decoder === undefined ? rest : { ...rest, decoder: assertSync(decoder) }
  return { ...parser, parse: limitParameters(settings.parameterLimit, createNestedParse(settings, options)) }
}

/** qs would take a promise for the value. */
function assertSync (decoder) {
  return (...args) => {
    const value = decoder(...args)
    if (typeof value?.then !== 'function') return value
    value.then(undefined, () => {}) // the TypeError is enough
    throw Object.assign(new TypeError('option qs.decoder must not return a promise'), { status: 500 })
  }
}
