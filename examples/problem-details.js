'use strict'

// Answers for machines: what no parser takes is refused with an Accept header,
// and every error of a parser is application/problem+json (RFC 9457).

const express = require('express')
const bodyParser = require('fast-body-parser')

const app = express()

app.use(bodyParser.json({ limit: '1kb' }), bodyParser.urlencoded(), bodyParser.refuseUnparsed())

app.use((req, res) => {
  if (req.body?.fail) throw new Error('an error of the app')
  res.json({ received: req.body })
})

app.use(bodyParser.problemDetails({ base: 'https://example.com/problems/' }))

app.use((error, req, res, next) => {
  res.status(500).json({ error: error.name }) // not of a parser
})

module.exports = app

if (require.main === module) {
  const server = app.listen(process.env.PORT ?? 3000, (error) => {
    if (error) throw error
    const url = `http://localhost:${server.address().port}/`
    console.log(`Listening on ${url} - try:

  curl -i ${url} --json '{"user":'
  curl -i ${url} -H 'Content-Type: text/xml' -d '<user/>'
  curl -i ${url} --json '{"fail":true}'`)
  })
}
