'use strict'

// Forms with more of qs: dots in names, and lists with commas.

const express = require('express')
const bodyParser = require('fast-body-parser')

const app = express()

app.use(bodyParser.urlencoded({
  extended: true,
  qs: { allowDots: true, comma: true, duplicates: 'last' }
}))

app.use((req, res) => {
  res.json({ filter: req.body })
})

module.exports = app

if (require.main === module) {
  const server = app.listen(process.env.PORT ?? 3000, (error) => {
    if (error) throw error
    const url = `http://localhost:${server.address().port}/`
    console.log(`Listening on ${url} - try:

  curl ${url} -d 'price.min=5&price.max=9&colors=red,blue&page=1&page=2'`)
  })
}
