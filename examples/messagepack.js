'use strict'

// MessagePack: createParser() for bytes. An array of the format begins with its
// length, for which this decoder takes memory at once, so both the length and
// the body are kept small: without, a hundred bytes can take all there is.

const { decode } = require('@msgpack/msgpack')
const express = require('express')
const bodyParser = require('fast-body-parser')

const app = express()

app.use(bodyParser.createParser({
  type: ['application/vnd.msgpack', 'application/msgpack', 'application/x-msgpack'],
  charset: false, // bytes, not text
  limit: '16kb',
  parse: (bytes) => decode(bytes, { maxArrayLength: 100 })
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

  printf '\\201\\244user\\244tobi' | curl ${url} -H 'Content-Type: application/msgpack' --data-binary @-`)
  })
}
