'use strict'

// The app that is observed: Express with its own parsers. Observers are loaded
// before this file.

const express = require('express')
const http = require('node:http')
const listen = require('./listen')

/**
 * @param {object} [observer]
 * @param {() => unknown} [observer.read] see listen.js
 * @param {(next: Function) => void} [observer.enter] calls the parsers
 * @param {() => unknown} [observer.look] what handlers see of its context
 * @param {(app: import('express').Express) => void} [observer.mount]
 */
module.exports = function serve ({ read, enter = (next) => next(), look = () => undefined, mount = () => {} } = {}) {
  const app = express()
  app.set('env', 'test') // or Express logs errors
  app.use(function tell (req, res, next) {
    process.nextTick(() => process.send({ called: true }))
    enter(next)
  })
  app.use(express.json({ limit: '1kb' }), express.urlencoded({ extended: true }), express.text(), express.raw())
  app.post('/', function handler (req, res) {
    res.json({ body: req.body, context: look() })
  })
  app.post('/fault', function fault (req) {
    throw new Error(`fault of ${JSON.stringify(req.body)}`)
  })
  mount(app)
  app.use(function onError (error, req, res, next) {
    res.status(error.status ?? 500).json({ error: error.type ?? error.message, context: look() })
  })
  listen(http.createServer(app), read)
}
