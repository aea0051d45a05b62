'use strict'

const DOES = [
  'json', 'raw', 'text', 'form', 'nested form', 'gzip', 'deflate', 'br', 'charset', 'list of types',
  'lenient', 'reviver', 'verify', 'skip GET', 'skip type', 'refuse by length', 'refuse by bytes',
  'refuse bad json', 'refuse charset'
]

/** A competitor with body-parser's interface. */
function createCompetitor (name, id, does = DOES) {
  return {
    name,
    package: id,
    checks: ['type', 'length', 'limit', 'charset', 'coding'],
    does,
    create: (kind, options) => require(id)[kind](options)
  }
}

module.exports = createCompetitor('body-parser', 'body-parser')
module.exports.DOES = DOES
module.exports.createCompetitor = createCompetitor
