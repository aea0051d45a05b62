'use strict'

// An empty body your way: a 400 on one route; as with body-parser 1 on the
// others, where `req.body` is an object even without content.

const express = require('express')
const bodyParser = require('fast-body-parser')

const app = express()

app.post('/strict', bodyParser.json({ empty: 'error' }))
app.use(bodyParser.json({ empty: {} }))

app.use((req, res) => {
  const { name = 'nobody' } = req.body ?? {}
  res.json({ hello: name, body: req.body })
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

  curl ${url} --json '{"name":"tobi"}'
  curl ${url} -X POST
  curl ${url}strict --json ''`)
  })
}
