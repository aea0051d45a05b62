'use strict'

/**
 * @typedef {object} Attack
 * @property {string} name
 * @property {string} what it sends
 * @property {string} parser factory to call
 * @property {object} options for the factory
 * @property {object} [server] options of http.createServer
 * @property {string[]} expect outcomes, one of which every answer must be:
 *   status and type of the error
 * @property {string} legal the yardstick: one of legal.js; or `bare`, the same
 *   requests to what only collects and parses, for bodies that are legal but
 *   odd; or `discard`, the same to what only reads them off
 * @property {{ faults: string[], why: string }} [known] what is beyond the
 *   yardstick as it is in Node.js or a dependency, and so in body-parser, too
 * @property {number} [crowd] connections at a time
 * @property {number} [each] requests to pipeline on each connection
 * @property {number} [laps] how often
 * @property {() => Promise<(index: number) => import('../client').Message>} prepare
 */

/** @type {Attack[]} */
module.exports = [
  ...require('./bombs'),
  ...require('./floods'),
  ...require('./forms'),
  ...require('./json'),
  ...require('./headers'),
  ...require('./crowds')
]
