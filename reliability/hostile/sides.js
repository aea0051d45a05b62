'use strict'

// Whose parsers are attacked, and what else the same requests are sent to, as a
// yardstick. Each is loaded only in a server of its own.

/** @type {Record<string, () => object>} name -> loads what has `json`, `raw`, `text` and `urlencoded` */
module.exports = {
  'fast-body-parser': () => require('../..'),
  'body-parser': () => require('body-parser'),
  bare: () => require('./bare'), // what collecting and parsing alone cost
  discard: () => require('./discard') // what Node's own server costs
}
