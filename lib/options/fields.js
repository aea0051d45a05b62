'use strict'

// Option `fields` of multipart: how many, and of what size.

const readNumbers = require('./number-group')

module.exports = (value, name) => readNumbers(value, name, { max: undefined, size: undefined })
