'use strict'

const http = require('node:http')

/**
 * The parsers one after the other on plain node:http.
 *
 * @param {Function} load `require` of the target's app
 * @param {{ parsers: Record<string, object> }} scenario
 * @param {(body: unknown, headers: object) => string | Buffer} answer
 * @returns {http.Server}
 */
module.exports = function createServer (load, { parsers }, answer) {
  const bodyParser = load('body-parser')
  const stack = Object.entries(parsers).map(([name, options]) => bodyParser[name](options))
  return http.createServer((req, res) => {
    let index = 0
    next()

    function next (error) {
      if (error) {
        res.statusCode = error.status || 500
        return res.end(error.type || error.message)
      }
      if (index < stack.length) return stack[index++](req, res, next)
      res.end(answer(req.body, req.headers))
    }
  })
}
