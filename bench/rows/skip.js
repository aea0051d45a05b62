'use strict'

// Requests without a body for the parser: another type, or no body at all.

const { json } = require('./bodies')
const { post } = require('./row')

const FORM = ['urlencoded', { extended: false }]
const STACK = [['json', {}], FORM, ['text', {}], ['raw', {}]]
const HEADERS = { Host: 'localhost:3000', 'User-Agent': 'bench', Accept: '*/*' }

/**
 * A GET. Node makes the object of headers when code first reads it, which
 * takes longer than all that the parsers do.
 *
 * @param {[kind: string, options: object][]} parsers
 * @param {boolean} headersRead code before the parsers has read them
 * @returns {import('./row').Work}
 */
function pass (parsers, headersRead) {
  return { method: 'GET', headers: HEADERS, chunks: [], parsers, skips: true, headersRead }
}

/** @type {import('./row').Row[]} */
const rows = [
  {
    name: 'GET through 4 parsers',
    requires: ['GET'],
    build: () => pass(STACK, true)
  },
  {
    name: 'GET through 4 parsers, headers unread',
    requires: ['GET'],
    build: () => pass(STACK, false)
  },
  {
    name: 'json 274 B, behind a form parser',
    requires: ['type check', 'json'],
    build: () => ({ ...post('json', json(274)), parsers: [FORM, ['json', {}]] })
  }
]

module.exports = rows
