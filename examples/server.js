'use strict'

// An Express 5 app with the four parsers: npm start, then try the lines it
// prints. Every answer is the parsed body, or the error, as JSON.

const express = require('express')
const bodyParser = require('fast-body-parser')

const port = process.env.PORT || 3000
const app = express()

app.use(bodyParser.json())
app.use(bodyParser.urlencoded({ extended: true }))
app.use(bodyParser.text())
app.use(bodyParser.raw())

app.use((req, res) => {
  const kind = Buffer.isBuffer(req.body) ? 'bytes' : typeof req.body
  res.json({ kind, body: kind === 'bytes' ? req.body.toString('hex') : req.body })
})

app.use((error, req, res, next) => {
  const { status = 500, type, message } = error
  res.status(status).json({ error: { status, type, message } })
})

const server = app.listen(port, (error) => {
  if (error) {
    console.error(error.message)
    process.exit(1)
  }
  const url = `http://localhost:${server.address().port}/`
  console.log(`Listening on ${url} - try:

  curl ${url} --json '{"user":"tobi"}'
  curl ${url} -d 'user[name]=tobi&user[age]=3'
  curl ${url} -H 'Content-Type: text/plain' -d 'hello'
  curl ${url} -H 'Content-Type: application/octet-stream' --data-binary 'bytes'
  echo '{"user":"tobi"}' | gzip | curl ${url} --json @- -H 'Content-Encoding: gzip'
  curl ${url} --json '{"user":'
  head -c 200000 /dev/zero | curl ${url} --json @-
  curl ${url} -H 'Content-Type: application/json; charset=latin1' -d '{}'`)
})
