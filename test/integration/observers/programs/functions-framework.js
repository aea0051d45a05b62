'use strict'

// A function that is an Express app with parsers of its own, as those are that
// move here from a server.

const bodyParser = require('body-parser')
const express = require('express')
const functions = require('@google-cloud/functions-framework')
const { getTestServer } = require('@google-cloud/functions-framework/testing')
const listen = require('./listen')

const options = { limit: '1kb', buffered: process.env.BUFFERED === 'true' }
const app = express()

app.use(bodyParser.json({ ...options, type: ['json', '+json'] }))
app.use(bodyParser.urlencoded({ ...options, extended: true }))
app.use(bodyParser.text(options))
app.use(bodyParser.raw(options))

app.use((req, res) => {
  res.json({ body: req.body, rawBody: req.rawBody?.toString() })
})

app.use((error, req, res, next) => {
  res.status(error.status).json({ error: error.type })
})

functions.http('function', app)
listen(getTestServer('function'))
