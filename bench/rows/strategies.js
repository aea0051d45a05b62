'use strict'

const { json } = require('../bodies')
const { post } = require('./row')

/** @type {import('./row').Row[]} */
module.exports = [
  { name: 'strategies, 300 B', needs: ['json'], heap: true, build: () => post('json', json(300)) },
  {
    name: 'strategies, 208 KB',
    needs: ['json'],
    heap: true,
    build: () => post('json', json(208500), { options: { limit: '1mb' }, chunk: 64 * 1024 })
  }
]
