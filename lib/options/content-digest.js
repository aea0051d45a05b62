'use strict'

// Option `contentDigest` of the middleware.

const { createHash } = require('node:crypto')
const { collectFirst } = require('../core/coding/coded-body')
const { nextTick } = require('../core/platform')
const { createOpenDigest } = require('../core/source/content-digest')

/** Changes a parser that is being composed. */
module.exports = function checkDigest (parser, { buffered, contentDigest }) {
  // The code that has read a body before may have undone a coding.
  if (buffered) throw new TypeError('option buffered cannot be combined with contentDigest')
  const openDigest = createOpenDigest(contentDigest, createHash)
  return {
    ...parser,
    openDigest, // for a stream reader
    findCoding: collectFirst(() => true),
    guardCollect: (collect) => checkCollected(parser.guardCollect(collect), openDigest)
  }
}

/**
 * Reads as `collect` does, which gets the body as it came.
 *
 * @param {import('../core/body/collect').Collect} collect
 * @returns {import('../core/body/collect').Collect}
 */
const checkCollected = (collect, openDigest) => function collectChecked (exchange, done, codedLength) {
  let digest
  try {
    digest = openDigest(exchange.req.headers['content-digest'])
  } catch (error) {
    return nextTick(done, exchange, error)
  }
  if (digest === null) return collect(exchange, done, codedLength)
  return collect(exchange, (_, error, content, length) => {
    if (error) return done(exchange, error)
    for (const chunk of [content].flat()) digest.update(chunk)
    done(exchange, digest.fault(), content, length)
  }, codedLength)
}
