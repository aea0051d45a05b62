'use strict'

// All four parsers on every request, and an answer that tells what they made
// of it. Each request has its own async context, which every callback checks.

const { AsyncLocalStorage } = require('node:async_hooks')
const bodyParser = require('../..')
const planted = require('./plant')

const storage = new AsyncLocalStorage()

/**
 * @param {'http' | 'express'} framework
 * @param {string | null} plant a fault to put in: see plant.js
 * @param {import('./watch')} watch
 * @returns {(req: object, res: object) => void}
 */
function appOf (framework, plant, watch) {
  const disturb = plant === null ? () => {} : planted[plant]
  const check = (req, where) => {
    const { id } = storage.getStore() ?? {}
    if (id !== req.headers['x-id']) watch.fault(`${where} of request ${req.headers['x-id']} ran in the context of ${id}`)
  }
  const steps = [...parsers(check), (req, res) => answer(req, res, 200, view(req.body))]
  const serve = framework === 'express' ? express(steps, fail) : chain(steps, fail)

  return (req, res) => {
    watch.requests++
    watch.pending++
    storage.run({ id: req.headers['x-id'] }, serve, req, res)
  }

  function fail (error, req, res) {
    answer(req, res, error.status ?? 500, String(error.type ?? error.code))
  }

  function answer (req, res, status, text) {
    watch.pending--
    disturb(req, storage)
    check(req, 'next')
    res.writeHead(status, { 'x-id': req.headers['x-id'], 'content-length': Buffer.byteLength(text) })
    res.end(text)
  }
}

function parsers (check) {
  const verify = (req, res, bytes) => {
    check(req, 'verify')
    const wish = req.headers['x-verify']
    if (wish === 'refuse') throw new Error('refused')
    if (wish === 'later') return new Promise((resolve) => setImmediate(resolve))
    if (wish === 'refuse later') return Promise.reject(new Error('refused'))
  }
  const type = (req) => {
    check(req, 'type')
    return req.headers['content-type'] === 'application/octet-stream'
  }
  return [
    bodyParser.json({ verify }),
    bodyParser.urlencoded({ extended: true }),
    bodyParser.text(),
    bodyParser.raw({ type })
  ]
}

/** A body as text: JSON, or the bytes. */
function view (body) {
  if (Buffer.isBuffer(body)) return body.toString('latin1')
  return body === undefined ? 'nothing' : JSON.stringify(body)
}

/** What Express does, and no more. */
function chain (steps, fail) {
  return (req, res) => {
    const run = (index) => steps[index](req, res, (error) => error ? fail(error, req, res) : run(index + 1))
    run(0)
  }
}

function express (steps, fail) {
  const app = require('express')()
  app.disable('x-powered-by')
  for (const step of steps) app.use(step)
  app.use((error, req, res, next) => fail(error, req, res)) // four parameters make it an error handler
  return app
}

module.exports = appOf
