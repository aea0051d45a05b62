'use strict'

const Failure = require('./failure')

/**
 * A scenario that a side cannot do, or that says nothing about it. It is left
 * out, which the results say, and the others are measured.
 */
class Unfit extends Failure {}

module.exports = Unfit
