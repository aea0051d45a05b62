'use strict'

// Records, one JSON text per line, with an answer for each of them.

const express = require('express')
const bodyParser = require('fast-body-parser')

const app = express()

app.post('/', bodyParser.ndjson({ limit: '1gb', record: '100kb', timeout: 60_000, onError: 'collect' }), async (req, res) => {
  const items = []
  for await (const { line, value, error } of req.body ?? []) {
    if (error === undefined) items.push({ line, status: 201, keys: Object.keys(value) })
    else items.push({ line, status: error.status, type: error.type, message: error.message })
  }
  res.status(207).json({ items })
})

app.use((error, req, res, next) => {
  const { status = 500, type, message, line } = error
  res.status(status).json({ error: { status, type, message, line } })
})

module.exports = app

if (require.main === module) {
  const server = app.listen(process.env.PORT ?? 3000, (error) => {
    if (error) throw error
    const url = `http://localhost:${server.address().port}/`
    console.log(`Listening on ${url} - try:

  printf '{"a":1}\\n{"a":2}\\n' | curl ${url} -H 'Content-Type: application/x-ndjson' --data-binary @-
  printf '{"a":1}\\n{"a":\\n' | curl ${url} -H 'Content-Type: application/x-ndjson' --data-binary @-`)
  })
}
