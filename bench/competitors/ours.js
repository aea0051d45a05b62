'use strict'

const { createCompetitor } = require('./body-parser')

module.exports = createCompetitor('ours', '../..')
