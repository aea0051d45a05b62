'use strict'

const { createRequest, end } = require('./request')

const FIELDS = ['name', 'message', 'status', 'statusCode', 'expose', 'type', 'body', 'charset', 'code', 'encoding', 'errno', 'expected', 'length', 'limit', 'received']

/** An error as plain data: the fields that it has. */
function describeError (error) {
  if (error === undefined) return null
  return Object.fromEntries(FIELDS.filter((name) => name in error).map((name) => [name, error[name]]))
}

/**
 * What a middleware makes of a request whose body comes with its header.
 *
 * @param {(req: object, res: object, next: Function) => void} middleware
 * @param {Record<string, string>} headers
 * @param {Buffer} body
 * @returns {Promise<{ calls: number, error: object | null, body: unknown }>}
 */
function outcomeOf (middleware, headers, body) {
  return new Promise((resolve) => {
    const req = createRequest(headers)
    let calls = 0
    middleware(req, {}, (error) => {
      calls++
      if (calls > 1) return
      const outcome = { error: describeError(error), had: 'body' in req, body: req.body }
      setImmediate(() => resolve({ ...outcome, calls }))
    })
    req.push(body)
    end(req)
  })
}

module.exports = { describeError, outcomeOf }
