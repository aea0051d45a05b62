'use strict'

// Ways to call a parser of /web, and those of the middleware that are not `parser(req, res, next)`.

const { Readable } = require('node:stream')

exports.promise = function ({ req, res }, parser, next) {
  settle(parser.read(req, res), next)
}

/** Reads all records before `next`. */
exports.loop = readingBefore(({ body }) => Readable.from(body ?? []).toArray())

/** Reads all files of a loop before `next`. */
exports.files = readingBefore(async ({ files }) => { for await (const file of files) await file.toArray() })

function readingBefore (readAll) {
  return ({ req, res }, parser, next) =>
    parser(req, res, (...error) => error.length > 0 ? next(error[0]) : settle(readAll(req), next))
}

/** As srvx and h3 do. @param {AbortSignal} [signal] */
exports.web = function ({ req }, parser, next, signal) {
  let request
  try {
    request = exports.requestOf(req, signal)
  } catch (error) { // destroyed before
    process.nextTick(next, error)
    return
  }
  settle(parser(request).then((body) => { req.body = body }), next)
}

exports.requestOf = function (req, signal) {
  const headers = Object.entries(req.headers).filter(([name]) => !name.startsWith(':'))
  return new Request('http://localhost/',
    { method: 'POST', headers, body: Readable.toWeb(req), duplex: 'half', signal })
}

/** Calls `next` on the next tick, so that what it throws does not become a rejection. */
function settle (promise, next) {
  promise.then(() => process.nextTick(next), (error) => process.nextTick(next, error))
}
