'use strict'

// JSON5, with comments, single quotes and trailing commas: json({ parse }) with
// a type of its own. `strict` has to be off, as it looks at the first character
// only, which may open a comment here.

const express = require('express')
const JSON5 = require('json5')
const bodyParser = require('fast-body-parser')

const app = express()

app.use(bodyParser.json()) // JSON, in the same application
app.use(bodyParser.json({
  type: 'application/json5',
  strict: false,
  parse: (text, { reviver }) => JSON5.parse(text, reviver)
}))

app.use((req, res) => {
  res.json({ body: req.body })
})

app.use((error, req, res, next) => {
  const { status = 500, type, message } = error
  res.status(status).json({ error: { status, type, message } })
})

module.exports = app

if (require.main === module) {
  const server = app.listen(process.env.PORT ?? 3000, (error) => {
    if (error) throw error
    const url = `http://localhost:${server.address().port}/`
    console.log(`Listening on ${url} - try:

  curl ${url} -H 'Content-Type: application/json5' -d "// who
  {user: 'tobi',}"`)
  })
}
