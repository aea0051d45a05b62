'use strict'

// The app: calls a parser, and does the act with what that gives it.

const { Readable } = require('node:stream')

/** @typedef {import('./exchange')} Exchange */

const BATCH = 7 // records

exports.memory = (exchange) => handleFiles(exchange, 'memory')

exports.disk = (exchange) => handleFiles(exchange, exchange.middleware.multipart.disk(exchange.folders.temporary))

function handleFiles (exchange, store) {
  call(exchange, exchange.middleware.multipart({ ...exchange.options, store }), () => {
    exchange.follow(() => exchange.handOut(Object.values(exchange.req.files).flat()))
  })
}

exports.store = function (exchange) {
  const store = (file) => exchange.handOut(file, file.field)
  call(exchange, exchange.middleware.multipart({ ...exchange.options, store }))
}

/** Each file, in an ordinary loop over the parts. */
exports.part = function (exchange) {
  exchange.follow(async () => {
    for await (const part of partsOf(exchange)) {
      if (part.name !== undefined) await exchange.handOut(part, part.field)
    }
  })
}

exports.parts = function (exchange) {
  exchange.follow(() => exchange.handOut(partsOf(exchange)))
}

const partsOf = ({ middleware, options, req, res }) => middleware.multipart(options).parts(req, res)

exports.records = (exchange) => handleRecords(exchange, (records) => records)

exports.batches = (exchange) => handleRecords(exchange, (records) => records.batches(BATCH))

function handleRecords (exchange, choose) {
  call(exchange, exchange.middleware.ndjson(exchange.options), () => {
    exchange.follow(() => exchange.handOut(choose(exchange.req.body), 'records'))
  })
}

for (const name of ['verify', 'parse', 'schema']) {
  exports[name] = (exchange) => call(exchange, exchange.middleware.json(optionsWith(exchange, name)))
  exports[`web ${name}`] = (exchange) => callWeb(exchange, optionsWith(exchange, name))
}

/** `verify` throws an error, which the package answers as well. */
exports.problemDetails = function (exchange) {
  exchange.answerError = exchange.middleware.problemDetails()
  exports.verify(exchange)
}

/** @param {() => void} [proceed] what the app does when `next` is called without an error */
function call (exchange, parser, proceed = () => exchange.finish()) {
  parser(exchange.req, exchange.res, (...error) => exchange.next(error, proceed))
}

exports['web records'] = (exchange) => handleWebRecords(exchange, (records) => records)

exports['web batches'] = (exchange) => handleWebRecords(exchange, (records) => records.batches(BATCH))

function handleWebRecords (exchange, choose) {
  const parse = exchange.web.ndjson(exchange.options)
  exchange.follow(() => exchange.handOut(choose(parse(requestOf(exchange))), 'records'))
}

function callWeb (exchange, options) {
  const proceed = () => exchange.finish()
  const next = (...error) => process.nextTick(() => exchange.next(error, proceed)) // what it throws is no rejection
  exchange.web.json(options)(requestOf(exchange)).then((body) => {
    exchange.req.body = body
    next()
  }, next)
}

/** A Request whose signal tells that the client has left, as adapters make it. */
function requestOf ({ connection, req, res }) {
  const controller = new AbortController()
  res.on('close', () => { if (!res.writableFinished) controller.abort() })
  connection.once('close', () => controller.abort()) // of an answered request, nothing else tells
  const headers = Object.entries(req.headers).filter(([name]) => !name.startsWith(':'))
  const { signal } = controller
  return new Request('http://localhost/',
    { method: 'POST', headers, body: Readable.toWeb(req), duplex: 'half', signal })
}

/** Of `name`, with a function that does the act. */
function optionsWith (exchange, name) {
  const { options } = exchange
  if (name === 'verify') return { ...options, verify: (req, res, bytes) => exchange.handOut(bytes, name) }
  const act = (value) => exchange.handOut(value, name)
  if (name === 'parse') return { ...options, parse: (text) => act(text) }
  return { ...options, schema: { '~standard': { version: 1, vendor: 'matrix', validate: act } } }
}
