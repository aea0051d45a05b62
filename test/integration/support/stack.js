'use strict'

// The part of an app that is the same under every framework.

const oracle = require('body-parser')
const subject = require('../../..')

const limit = '1kb'

/** All parsers of a package, or of Express, as they are stacked in every app. */
function stack (bodyParser) {
  return [
    bodyParser.json({ limit }),
    bodyParser.urlencoded({ limit, extended: true }),
    bodyParser.text({ limit }),
    bodyParser.raw({ limit })
  ]
}

/** What a handler finds on the request. */
function seen ({ body }) {
  return Buffer.isBuffer(body) ? { bytes: body.toString('hex') } : { body }
}

/** What an error handler gets. */
function failed ({ status = 500, type, message }) {
  return { error: { status, type, message } }
}

/** Ends a plain response of Node's. */
function answer (req, res, error) {
  const content = error ? failed(error) : seen(req)
  res.statusCode = content.error?.status ?? 200
  res.setHeader('content-type', 'application/json')
  res.end(JSON.stringify(content))
}

/** An app of Express. */
function expressApp (express, parsers) {
  const app = express()
  app.use(parsers)
  app.all('/', (req, res) => answer(req, res))
  return app.use((error, req, res, next) => answer(req, res, error))
}

module.exports = { subject, oracle, stack, seen, failed, answer, expressApp }
