'use strict'

const sharedTables = require('../../lib/core/shared-tables')

/** Calls `act` as in a process in which nobody has asked for this table. */
module.exports = function withoutTables (name, act) {
  const { [name]: table } = sharedTables
  sharedTables[name] = null
  try {
    return act()
  } finally {
    sharedTables[name] = table
  }
}
