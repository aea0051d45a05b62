'use strict'

// What tests of content codings share.

const assert = require('node:assert/strict')
const { PassThrough } = require('node:stream')
const { setImmediate: turn } = require('node:timers/promises')
const zlib = require('node:zlib')
const { createExchange } = require('./create-exchange')
const within = require('./within')

const FILE = require.resolve('../../lib/core/coding/coded-body')
const FILES = [FILE, require.resolve('../../lib/core/coding/codings')] // what asks zlib

/** Reads a body through a source; gives the exchange, and each result: content or error. */
async function read (source, act, { limit = 100 * 1024, req = new PassThrough(), ...settings } = {}) {
  const results = []
  const coded = Object.assign(req, { headers: { 'content-encoding': 'gzip' } })
  const exchange = createExchange(coded, { ...settings, limit, next: assert.fail })
  await new Promise((resolve) => {
    source(exchange, (_, error, content, length) => {
      if (!error) assert.equal(length, content.length)
      results.push(error || content)
      resolve()
    })
    act(req)
  })
  for (let i = 0; i < 5; i++) await turn() // nothing follows
  return { exchange, req, result: results[0], count: results.length }
}

/** Runs with zlib functions of these names replaced, and what decodes loaded anew. */
async function withZlib (replacements, act) {
  const loaded = FILES.map((file) => require.cache[file])
  for (const file of FILES) delete require.cache[file]
  try {
    return await within(zlib, replacements, async () => act(require(FILE)))
  } finally {
    for (const [i, file] of FILES.entries()) require.cache[file] = loaded[i]
  }
}

module.exports = { read, withZlib }
