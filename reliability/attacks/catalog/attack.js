'use strict'

const { MB } = require('./fill')

const MEDIA_TYPES = {
  batches: 'application/json',
  items: 'application/json',
  json: 'application/json',
  raw: 'application/octet-stream',
  urlencoded: 'application/x-www-form-urlencoded'
}

/**
 * An attack on a parser of 1 MB, unless its options say otherwise, by requests
 * that are all the same.
 *
 * @param {string} parser
 * @param {() => object | Promise<object>} make the message, where it differs
 *   from a request of that parser's media type
 * @param {object} rest the other properties of the attack; see index.js
 * @returns {import('./index').Attack}
 */
function attackOn (parser, make, { options, ...rest }) {
  return {
    parser,
    options: { limit: MB, ...options },
    async prepare () {
      const { headers, ...rest } = await make()
      const message = { headers: { 'Content-Type': MEDIA_TYPES[parser], ...headers }, ...rest }
      return () => message
    },
    ...rest
  }
}

module.exports = attackOn
