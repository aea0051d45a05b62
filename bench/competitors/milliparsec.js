'use strict'

/**
 * Its middlewares look at no media type unless they get a function for it.
 * After an error it calls `next` a second time, so it is not in those rows.
 */
module.exports = {
  name: 'milliparsec',
  package: 'milliparsec',
  checks: ['limit'],
  supports: ['json', 'raw', 'text', 'form', 'lenient', 'reviver', 'GET'],

  async create (kind, { limit, reviver }) {
    const parsers = await import('milliparsec')
    return parsers[kind]({ payloadLimit: limit, reviver })
  }
}
