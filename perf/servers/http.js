'use strict'

const http = require('node:http')

/**
 * The parsers one after the other on plain node:http.
 *
 * @param {Function} load `require` of the side's app
 * @param {{ parsers: Record<string, object> }} scenario
 * @param {(body: unknown) => string | Buffer} answer
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
        res.statusCode = error.status
        return res.end(error.type)
      }
      if (index < stack.length) return stack[index++](req, res, next)
      res.end(answer(req.body))
    }
  })
}
