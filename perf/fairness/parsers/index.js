'use strict'

// Other ways to parse a large body without holding up other requests. Each
// parses all bytes of a source: a request, or any async iterable.

/**
 * @typedef {object} Parser
 * @property {string} name
 * @property {string} [package] that does it; none if it is Node.js alone
 * @property {(source: AsyncIterable<Buffer>) => Promise<any>} parse
 * @property {() => Promise<void>} [close]
 */

/** @type {Record<string, Parser>} */
module.exports = {
  worker: require('./worker'),
  yieldable: require('./yieldable'),
  'stream-json': require('./stream-json'),
  streamparser: require('./streamparser')
}
