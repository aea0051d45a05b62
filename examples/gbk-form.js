'use strict'

// A form in GBK, or in another charset that iconv-lite knows. urlencoded() reads
// UTF-8 and ISO-8859-1, so createParser() gets the bytes, and counts the fields.

const { parse, unescapeBuffer } = require('node:querystring')
const express = require('express')
const iconv = require('iconv-lite')
const bodyParser = require('fast-body-parser')

const MAX = 1000 // fields
const decodeURIComponent = (text) => iconv.decode(unescapeBuffer(text), 'gbk')

function parseForm (bytes) {
  const text = bytes.toString('latin1')
  if (text.split('&', MAX + 1).length > MAX) throw Object.assign(new Error('too many fields'), { status: 413 })
  return { ...parse(text, '&', '=', { decodeURIComponent, maxKeys: MAX }) }
}

const app = express()

app.use(bodyParser.createParser({
  type: 'application/x-www-form-urlencoded',
  charset: false, // the bytes
  parse: parseForm
}))

app.use((req, res) => {
  res.json({ body: req.body })
})

app.use((error, req, res, next) => {
  const { status = 500, type, message } = error
  res.status(status).json({ error: { status, type, message } })
})

module.exports = { app }

if (require.main === module) {
  const server = app.listen(process.env.PORT ?? 3000, (error) => {
    if (error) throw error
    const url = `http://localhost:${server.address().port}/`
    console.log(`Listening on ${url} - try:

  curl ${url} -H 'Content-Type: application/x-www-form-urlencoded; charset=gbk' -d 'name=%D6%D0%CE%C4'`)
  })
}
