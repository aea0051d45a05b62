'use strict'

const SUPPORTS = [
  'json', 'raw', 'text', 'form', 'nested form', 'gzip', 'deflate', 'br', 'charset', 'types',
  'lenient', 'reviver', 'verify', 'GET', 'type check', 'length limit', 'byte limit',
  'json errors', 'charset errors'
]

/** One with body-parser's interface. */
function createCompetitor (name, id, supports = SUPPORTS) {
  return {
    name,
    checks: ['type', 'length', 'limit', 'charset', 'coding', 'strict'],
    supports,
    create: (kind, options) => require(id)[kind](options)
  }
}

module.exports = [
  createCompetitor('ours', '../..'),
  createCompetitor('body-parser', 'body-parser'),
  createCompetitor('body-parser 1', 'body-parser-1', SUPPORTS.filter((need) => need !== 'br'))
]
