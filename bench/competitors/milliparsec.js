'use strict'

/**
 * Its middlewares ignore the media type unless they are given a function for it.
 * After an error it calls `next` a second time, so it is not in those rows.
 */
module.exports = {
  name: 'milliparsec',
  checks: ['limit'],
  supports: ['json', 'raw', 'text', 'form', 'lenient', 'reviver', 'GET'],

  async create (kind, { limit, reviver }) {
    const parsers = await import('milliparsec')
    return parsers[kind]({ payloadLimit: limit, reviver })
  }
}
