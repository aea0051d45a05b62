'use strict'

// Option `parse` of createParser: what makes `req.body` of the content.

const { isFunction, required } = require('../core/checks')

module.exports = { read: required(isFunction, 'a function') }
