'use strict'

// A random form, how it arrives, options, and what an app does with its files.

const zlib = require('node:zlib')
const { randomForm } = require('../../test/support/random-form')
const { cut } = require('../fuzz/form-sides')

const SIDES = ['middleware', 'web']
const STORES = ['stream', 'stream', 'stream', 'stream', 'memory', 'disk']
const FAULTS = ['none', 'cut', 'bit'] // a bit was flipped on the way
const ACTS = ['read', 'read', 'read late', 'peek, read', 'part', 'peek', 'nothing']
const ENDS = ['all', 'all', 'all', 'leave', 'throw', 'nothing']
const OPTIONS = {
  detect: ['none', 'none', 'by content', 'by content, later', 'unknown'],
  digest: ['none', 'sha256', 'md5'],
  contentDigest: ['none', 'check', 'require']
}

/**
 * @typedef {object} Case
 * @property {object[]} parts as ../../test/support/random-form.js has written them
 * @property {Buffer} content that was sent, in its coding
 * @property {Buffer[]} pieces as they arrive
 * @property {string} fault one of FAULTS
 * @property {string} boundary
 * @property {string} coding `gzip` or `identity`
 * @property {string} side one of SIDES
 * @property {string} store one of STORES
 * @property {Record<keyof typeof OPTIONS, string>} options
 * @property {string[]} acts with the files, of ACTS
 * @property {string} end of the loop, one of ENDS
 * @property {number} most files before that end
 */

/**
 * @param {(limit: number) => number} below a random integer
 * @returns {Case}
 */
module.exports = function createCase (below) {
  const some = (list) => list[below(list.length)]
  const { body, boundary, parts } = randomForm(below(2 ** 31))
  const coding = some(['identity', 'identity', 'gzip'])
  const content = coding === 'gzip' ? zlib.gzipSync(body) : body
  const options = Object.fromEntries(Object.entries(OPTIONS).map(([name, values]) => [name, some(values)]))
  const fault = some(FAULTS)
  if (fault === 'bit') options.contentDigest = some(['check', 'require'])
  return {
    boundary,
    parts,
    content,
    coding,
    fault,
    options,
    pieces: cut(damage(content, fault, below), below, some([1, 8, 100, 65536])),
    side: some(SIDES),
    store: some(STORES),
    acts: Array.from({ length: 8 }, () => some(ACTS)),
    end: some(ENDS),
    most: below(4)
  }
}

function damage (content, fault, below) {
  if (fault === 'cut') return content.subarray(0, below(content.length))
  const sent = Buffer.from(content)
  if (fault === 'bit') sent[below(sent.length)] ^= 1 << below(8)
  return sent
}
