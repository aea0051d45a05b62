'use strict'

// Where the platform reads the body before us: `buffered: true` parses what it
// left, by our own limits and with our own `verify`. Two platforms: one that
// hands over a request whose stream has ended, with its bytes on `req.rawBody`
// (Cloud Functions, which serve an Express app as it is), and one that has no
// request at all, but an event (Lambda).

const http = require('node:http')
const { promisify } = require('node:util')
const express = require('express')
const bodyParser = require('fast-body-parser')

const options = { buffered: true, limit: '10kb' }
const parseJson = bodyParser.json(options)
const parseForm = bodyParser.urlencoded(options)

const app = express()
app.disable('x-powered-by')
app.use(parseJson, parseForm)
app.use((req, res) => res.json({ body: req.body }))
app.use((error, req, res, next) => {
  const { status = 500, type, message } = error
  res.status(status).json({ error: { status, type, message } })
})

/** As the platform calls it: the body is read, and parsed in its own way. */
async function platform (req, res) {
  req.rawBody = Buffer.concat(await req.toArray())
  req.body = { parsed: 'by the platform', without: 'limits' }
  app(req, res)
}

const parsers = [parseJson, parseForm].map((parser) => promisify(parser))

/** A handler of Lambda's, for events of an HTTP API (payload format 2.0). */
async function handler (event) {
  const req = {
    method: event.requestContext.http.method,
    headers: event.headers, // their names are in lower case
    body: event.isBase64Encoded ? Buffer.from(event.body, 'base64') : event.body
  }
  try {
    for (const parse of parsers) await parse(req, {})
    return { statusCode: 200, body: JSON.stringify({ body: req.body }) }
  } catch (error) {
    const { status, type, message } = error
    return { statusCode: status, body: JSON.stringify({ error: { status, type, message } }) }
  }
}

module.exports = { app: platform, api: app, handler }

if (require.main === module) {
  const server = http.createServer(platform).listen(process.env.PORT || 3000, () => {
    const url = `http://localhost:${server.address().port}/`
    console.log(`Listening on ${url} - try:

  curl ${url} --json '{"user":"tobi"}'
  curl ${url} -d 'user=tobi'
  head -c 20000 /dev/zero | curl ${url} --json @-`)
  })
}
