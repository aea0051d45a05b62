'use strict'

/** @type {import('./row').Row[]} */
module.exports = [
  ...require('./json'),
  ...require('./coded'),
  ...require('./bytes'),
  ...require('./form'),
  ...require('./skip'),
  ...require('./reject')
]
