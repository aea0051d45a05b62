'use strict'

// Option `type` of multipart. A wildcard would let other types pass, and each of
// their bodies would be refused as a form that is wrong.

const { isFunction, required } = require('../core/checks')

const FORM = 'multipart/form-data'

module.exports = required(
  (type) => isFunction(type) || [type].flat().every((name) => name === FORM),
  `'${FORM}' or a function: multipart() takes form-data alone. parts() reads every multipart type if it is left out`
)
