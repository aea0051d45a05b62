'use strict'

// JSON with integers that a Number cannot hold: json({ parse }) with
// lossless-json in place of JSON.parse. Here they become BigInts.

const express = require('express')
const bodyParser = require('fast-body-parser')
const { isInteger, isSafeNumber, parse, stringify } = require('lossless-json')

const app = express()

app.use(bodyParser.json({
  parse: (text, { reviver }) => parse(text, reviver, toNumber)
}))

function toNumber (digits) {
  return isInteger(digits) && !isSafeNumber(digits) ? BigInt(digits) : Number(digits)
}

app.use((req, res) => {
  res.type('json').send(stringify(req.body))
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

  curl ${url} --json '{"id":12345678901234567890,"price":1.5}'`)
  })
}
