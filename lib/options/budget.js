'use strict'

// Option `budget`: a bound for the memory of all bodies in flight together.

const { anyValue, kind } = require('../core/checks')
const guardExchange = require('../core/guards')
const { Budget } = require('../core/guards/budget')

module.exports = {
  read: anyValue,
  check: kind((budget) => budget instanceof Budget, 'made by createBudget()'),
  extend: guardExchange
}
