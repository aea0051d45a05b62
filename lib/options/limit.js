'use strict'

// Option `limit`: the most bytes of a body, or a function of the request that returns them.

const { isFunction, readBytes } = require('../core/checks')

module.exports = {
  read: (value, name, fallback) => isFunction(value) ? value : readBytes(value, name, fallback)
}
