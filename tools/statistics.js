'use strict'

const { jStat } = require('jstat')

const { max, mean, median, min, sum } = jStat

module.exports = { max, mean, median, min, sum }
