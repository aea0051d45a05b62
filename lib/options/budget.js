'use strict'

// Option `budget`: a bound for the memory of all bodies in flight together.

const { kind } = require('../core/checks')
const { Budget } = require('../core/guards/budget')

module.exports = kind((budget) => budget instanceof Budget, 'made by createBudget()')
