'use strict'

// Option `minRate`: bytes per second, on average, that a client has to send.

const { readBytes, required } = require('../core/checks')
const guardExchange = require('../core/guards')

const check = required((rate) => rate >= 0 && rate < Infinity, 'a number of bytes per second')

module.exports = {
  read: (value, name, fallback) => check(readBytes(value, name, fallback), name),
  extend: guardExchange
}
