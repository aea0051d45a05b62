'use strict'

// Ways of a server to take large bodies of JSON: the bodies of bursts, and records, which it counts.

const { once } = require('node:events')

const LIMIT = { limit: '4gb' }

const parse = (middleware, req, res) => new Promise((resolve, reject) => {
  middleware(req, res, (error) => error === undefined ? resolve(req.body) : reject(error))
})

function counting (middleware) {
  return async (req, res) => {
    let count = 0
    for await (const record of await parse(middleware, req, res)) if (record.id > 0) count++
    return { items: count }
  }
}

const ours = () => require('../..')
const json = (id) => {
  const middleware = require(id).json(LIMIT)
  return async (req, res) => { await parse(middleware, req, res) }
}

/** Each makes `(req, res) => Promise`. @type {Record<string, () => Function>} */
const ways = {
  'fast-body-parser': () => json('../..'),
  'body-parser': () => json('body-parser'),
  'json()': () => counting(ours().json(LIMIT)),
  'json({ cooperative: true })': () => counting(ours().json({ ...LIMIT, cooperative: true })),
  'jsonArray()': () => counting(ours().jsonArray(LIMIT)),
  'ndjson()': () => counting(ours().ndjson(LIMIT)),
  'examples/json-import.js': () => {
    const app = require('../../examples/json-import')
    return async (req, res) => {
      app(req, res)
      await once(res, 'close')
    }
  }
}

exports.serve = (way) => ways[way]()
