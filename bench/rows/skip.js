'use strict'

// Requests that are none of a parser's business.

const { json } = require('../bodies')
const { post } = require('./row')

const STACK = [['json', {}], ['urlencoded', {}], ['text', {}], ['raw', {}]]
const HEADERS = { Host: 'localhost:3000', 'User-Agent': 'bench', Accept: '*/*' }

/**
 * Node makes the object of headers when it is first asked for, which takes
 * longer than all that the parsers do.
 *
 * @param {boolean} headersRead somebody in front of the parsers has asked
 */
function get (headersRead) {
  return { method: 'GET', headers: HEADERS, chunks: [], parsers: STACK, skips: true, headersRead }
}

/** @type {import('./row').Row[]} */
module.exports = [
  {
    name: 'GET through 4 parsers',
    needs: ['skip'],
    floor: { over: 0.25 },
    build: () => get(true)
  },
  {
    name: 'GET through 4 parsers, headers unread',
    needs: ['skip'],
    build: () => get(false)
  },
  {
    name: 'json 274 B, behind a form parser',
    needs: ['skip', 'json'],
    build: () => ({ ...post('json', json(274)), parsers: [['urlencoded', {}], ['json', {}]] })
  }
]
