'use strict'

// Requests without a body for the parser: another type, or no body at all.

const { json } = require('./bodies')
const { HEADERS, post } = require('./row')

const FORM = ['urlencoded', { extended: false }]
const STACK = [['json', {}], FORM, ['text', {}], ['raw', {}]]

/** A GET. Node makes the object of headers on the first read, which takes longer than all that the parsers do. */
function pass (more, how) {
  const build = () => ({ method: 'GET', headers: HEADERS, chunks: [], parsers: STACK, skips: true, ...how })
  return { name: `GET through 4 parsers${more}`, requires: ['GET'], build }
}

/** @type {import('./row').Row[]} */
module.exports = [
  pass('', { headersRead: true }),
  pass(', headers unread', { headersRead: false }),
  pass(', of Express', { headersRead: true, ofExpress: true }),
  {
    name: 'json 274 B, behind a form parser',
    requires: ['type check', 'json'],
    build: () => ({ ...post('json', json(274)), parsers: [FORM, ['json', {}]] })
  }
]
