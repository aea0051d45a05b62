'use strict'

// One JSON value per line (application/x-ndjson, application/jsonl) into an
// array: createParser() for text.

const express = require('express')
const bodyParser = require('fast-body-parser')

const app = express()

app.use(bodyParser.createParser({
  type: ['application/x-ndjson', 'application/jsonl'],
  limit: '1mb',
  parse: parseLines
}))

function parseLines (text) {
  const values = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue // such as the one after the last newline
    try {
      values.push(JSON.parse(line))
    } catch (error) {
      // Its status is 400, and its `type` this one; else it were entity.parse.failed.
      throw Object.assign(new SyntaxError(`line ${index + 1}: ${error.message}`), { type: 'ndjson.line.invalid', line: index + 1 })
    }
  }
  return values
}

app.use((req, res) => {
  res.json({ count: req.body?.length, body: req.body })
})

app.use((error, req, res, next) => {
  const { status = 500, type, message, line } = error
  res.status(status).json({ error: { status, type, message, line } })
})

module.exports = app

if (require.main === module) {
  const server = app.listen(process.env.PORT ?? 3000, () => {
    const url = `http://localhost:${server.address().port}/`
    console.log(`Listening on ${url} - try:

  printf '{"a":1}\\n{"a":2}\\n' | curl ${url} -H 'Content-Type: application/x-ndjson' --data-binary @-
  printf '{"a":1}\\n{"a":\\n' | curl ${url} -H 'Content-Type: application/x-ndjson' --data-binary @-`)
  })
}
