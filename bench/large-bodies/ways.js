'use strict'

// Ways of an app to read many records of one body, for large-bodies.js.

const { json, jsonArray, ndjson } = require('../..')

const limit = '4gb'
const ARRAY = { head: '[', separator: ',', tail: ']', type: 'application/json' }
const LINES = { head: '', separator: '\n', tail: '\n', type: 'application/x-ndjson' }

/** An app that counts the records. */
const counting = (parse) => () => {
  const app = require('express')()
  app.put('/*any', parse, async (req, res) => {
    let count = 0
    for await (const record of req.body) if (record.id > 0) count++
    res.json({ items: count })
  })
  return app
}

/**
 * @typedef {object} Way
 * @property {() => import('express').Express} createApp
 * @property {string} url of the request
 * @property {typeof ARRAY} format
 * @property {number[]} sizes MB
 *
 * @type {Record<string, Way>}
 */
module.exports = {
  'json()': { createApp: counting(json({ limit })), url: '/1', format: ARRAY, sizes: [1, 10, 100] },
  'json({ cooperative: true })': {
    createApp: counting(json({ limit, cooperative: true })), url: '/1', format: ARRAY, sizes: [1, 10, 100]
  },
  'jsonArray()': { createApp: counting(jsonArray({ limit })), url: '/1', format: ARRAY, sizes: [1, 10, 100, 1000] },
  'ndjson()': { createApp: counting(ndjson({ limit })), url: '/1', format: LINES, sizes: [1, 10, 100, 1000] },
  'examples/json-import.js': {
    createApp: () => require('../../examples/json-import'),
    url: '/imports/1',
    format: { head: '{"users":[', separator: ',', tail: ']}', type: 'application/json' },
    sizes: [1, 10, 100, 1000]
  }
}
