'use strict'

const { SUPPORTS, createCompetitor } = require('./body-parser')

module.exports = createCompetitor('body-parser 1', 'body-parser-1', SUPPORTS.filter((need) => need !== 'br'))
