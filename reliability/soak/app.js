'use strict'

// All four parsers on every request, and a response with the parsed body,
// for tools/lab/server.js. Each request has its own async context, which
// every callback checks.

const { AsyncLocalStorage } = require('node:async_hooks')
const http = require('node:http')
const bodyParser = require('../..')
const chain = require('../../tools/chain')
const { disturb } = require('./disturb')
const { commands, watch } = require('./watch')

const storage = new AsyncLocalStorage()
const kept = []

/**
 * Faults that the soak must find: `--inject-fault=NAME`.
 *
 * @type {Record<string, (req: object) => void>} called for every request that is answered
 */
const faults = {
  leak: (req) => { kept.push(req) },
  handles: () => { setTimeout(() => {}, 3_600_000) },
  context: () => { if (Math.random() < 0.01) storage.enterWith({ id: 'another' }) },
  rejection: () => { if (Math.random() < 0.01) Promise.reject(new Error('injected')) }
}

/**
 * @param {{ injectFault: string | null, guarded: boolean }} settings
 *   `guarded`: with the options that bound what clients may do
 */
function createServer ({ injectFault, guarded }) {
  const parse = chain(parsers(guarded ? guard() : NO_GUARD))
  const server = http.createServer((req, res) => {
    watch.pending++
    storage.run({ id: req.headers['x-id'] }, disturb, req, res,
      () => parse(req, res, (error) => answer(error, req, res)))
  })
  watch.follow(server)
  return server

  function answer (error, req, res) {
    const [status, text] = error ? [error.status ?? 500, String(error.type ?? error.code)] : [200, view(req.body)]
    watch.pending--
    faults[injectFault]?.(req)
    check(req, 'next')
    if (res.headersSent) return // by an act
    res.writeHead(status, { 'x-id': req.headers['x-id'], 'content-length': Buffer.byteLength(text) })
    res.end(text)
  }
}

function check (req, where) {
  const { id } = storage.getStore() ?? {}
  if (id !== req.headers['x-id']) watch.fault(`${where} of request ${req.headers['x-id']} ran in the context of ${id}`)
}

const NO_GUARD = { json: {}, urlencoded: {}, text: {}, raw: {} }

/** The budget is so small that it is exceeded now and then. Half of the parsers have a timeout, the others a rate. */
function guard () {
  const budget = watch.budget = bodyParser.createBudget({ bytes: '300kb', wait: 20 })
  const timed = { budget, timeout: 2000 }
  const rated = { budget, minRate: '1kb' }
  return { // a timeout would count the time of parsing in slices, too, on however busy a machine
    json: { ...rated, cooperative: { threshold: '20kb', slice: 0.05 } },
    urlencoded: timed,
    text: rated,
    raw: timed
  }
}

function parsers (guards) {
  const type = (req) => {
    check(req, 'type')
    return req.headers['content-type'] === 'application/octet-stream'
  }
  return [
    bodyParser.json({ verify, ...guards.json }),
    bodyParser.urlencoded({ extended: true, ...guards.urlencoded }),
    bodyParser.text(guards.text),
    bodyParser.raw({ type, ...guards.raw })
  ]
}

function verify (req) {
  check(req, 'verify')
  const wanted = req.headers['x-verify']
  if (wanted === 'refuse') throw new Error('refused')
  if (wanted === 'later') return new Promise((resolve) => setImmediate(resolve))
  if (wanted === 'refuse later') return Promise.reject(new Error('refused'))
}

/** A body as text: JSON, or the bytes. */
function view (body) {
  if (Buffer.isBuffer(body)) return body.toString('latin1')
  return body === undefined ? 'nothing' : JSON.stringify(body)
}

module.exports = { commands, createServer }
