'use strict'

// Option `timeout`: milliseconds for the whole body.

const { milliseconds } = require('../core/checks')

module.exports = {
  read: milliseconds,
  loadExtend: () => require('../core/guards')
}
