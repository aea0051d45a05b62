'use strict'

// YAML (RFC 9512): createParser() for text. Of a YAML parser for what strangers
// send, ask that it bounds nesting and aliases: a few lines of aliases to
// aliases can stand for gigabytes, and many parsers recurse.

const express = require('express')
const yaml = require('js-yaml')
const bodyParser = require('fast-body-parser')

const app = express()

app.use(bodyParser.createParser({
  type: ['application/yaml', '+yaml'],
  parse: (text) => yaml.load(text, { maxAliases: 0, maxDepth: 50 })
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

  printf 'user: tobi\\nlikes: [tea, cake]\\n' | curl ${url} -H 'Content-Type: application/yaml' --data-binary @-
  printf 'a: &a [1]\\nb: [*a, *a]\\n' | curl ${url} -H 'Content-Type: application/yaml' --data-binary @-`)
  })
}
