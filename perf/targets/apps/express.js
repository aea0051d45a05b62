'use strict'

const http = require('node:http')

/**
 * The parsers of Express, in the version that the target has.
 *
 * @param {Function} load `require` of the target's app
 * @param {{ parsers: Record<string, object> }} scenario
 * @param {(body: unknown, headers: object) => string | Buffer} answer
 * @returns {http.Server}
 */
module.exports = function createServer (load, { parsers }, answer) {
  const express = load('express')
  const app = express()
  app.disable('x-powered-by')
  for (const [name, options] of Object.entries(parsers)) app.use(express[name](options))
  app.get('/', respond)
  app.post('/', respond)
  app.use((error, req, res, next) => {
    res.statusCode = error.status || 500
    res.end(error.type || error.message)
  })
  return http.createServer(app)

  function respond (req, res) {
    res.end(answer(req.body, req.headers))
  }
}
