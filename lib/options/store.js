'use strict'

// Option `store` of multipart, and of a rule in `files`: where files go.

const { isFunction, kind } = require('../core/checks')

module.exports = kind(
  (store) => store === 'memory' || isFunction(store) || store.isDiskStore === true,
  "'memory', multipart.disk(directory) or a function"
)
