'use strict'

const { createHash } = require('node:crypto')

/** The field Content-Digest of a body. */
function digestOf (body, algorithm = 'sha-256') {
  return `${algorithm}=:${createHash(algorithm.replace('-', '')).update(body).digest('base64')}:`
}

module.exports = digestOf
