'use strict'

const { DOES, createCompetitor } = require('./body-parser')

module.exports = createCompetitor('body-parser 1', 'body-parser-1', DOES.filter((need) => need !== 'br'))
