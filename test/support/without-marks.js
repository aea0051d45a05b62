'use strict'

const marks = require('../../lib/core/marks')

/** Calls `act` as in a process in which nobody has asked for this table. */
module.exports = function withoutMarks (name, act) {
  const { [name]: table } = marks
  marks[name] = null
  try {
    return act()
  } finally {
    marks[name] = table
  }
}
