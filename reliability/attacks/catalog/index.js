'use strict'

/**
 * @typedef {object} Attack
 * @property {string} parser factory to call
 * @property {object} options for the factory
 * @property {[ours: string, theirs: string]} [targets] see ../app.js; by default this package and body-parser
 * @property {object} [server] options of http.createServer
 * @property {string[]} expect outcomes, one of which every answer must be: status and type of the error
 * @property {string[]} [allowed] of `busy`, `p50`, `p99` and `peak`: what may cost more than with body-parser
 * @property {number} [most] times as long as the baseline's that the main thread may be busy; by default once
 * @property {number} [rate] requests per second; by default as many as occupy a quarter of body-parser's main thread
 * @property {() => Promise<(index: number) => import('../attacker').Message>} prepare
 */

/** @type {Attack[]} */
module.exports = [
  ...require('./coded'),
  ...require('./floods'),
  ...require('./forms'),
  ...require('./json'),
  ...require('./items'),
  ...require('./headers'),
  ...require('./part-headers')
]
