'use strict'

// The app: calls a parser, and does the act with what that gives it.

const callers = require('../request/callers')

const BATCH = 7 // records

/** @type {Record<string, (exchange: import('./exchange')) => void>} by lane */
const handlers = {
  memory: (exchange) => handleFiles(exchange, 'memory'),
  disk: (exchange) => handleFiles(exchange, exchange.middleware.multipart.disk(exchange.folders.temporary)),
  store (exchange) {
    const store = (file) => exchange.handOut(file, file.field)
    call(exchange, exchange.middleware.multipart({ ...exchange.options, store }))
  },
  'streamed file': (exchange) => handleFiles(exchange, 'stream', handOutEach),
  'streamed files': (exchange) => handleFiles(exchange, 'stream', (exchange, files) => exchange.handOut(files)),
  /** Each file, in an ordinary loop over the parts. */
  part: (exchange) => exchange.follow(() => handOutEach(exchange, partsOf(exchange))),
  parts: (exchange) => exchange.follow(() => exchange.handOut(partsOf(exchange))),
  'web memory': (exchange) => handleWebFiles(exchange, 'memory'),
  'web disk': (exchange) => handleWebFiles(exchange, exchange.web.multipart.disk(exchange.folders.temporary)),
  'web store' (exchange) {
    callWeb(exchange, (file) => exchange.handOut(file, file.field), () => exchange.finish())
  },
  detect: (exchange) => call(exchange, exchange.middleware.multipart(detectionOf(exchange))),
  'web detect': (exchange) => callWebBy(exchange, detectionOf(exchange), () => exchange.finish()),
  'web streamed file': (exchange) => handleWebFiles(exchange, 'stream', handOutEach),
  'web streamed files': (exchange) => handleWebFiles(exchange, 'stream', (exchange, files) => exchange.handOut(files)),
  'web part': (exchange) => exchange.follow(() => handOutEach(exchange, webPartsOf(exchange))),
  'web parts': (exchange) => exchange.follow(() => exchange.handOut(webPartsOf(exchange)))
}

/** Files of a loop, in an ordinary one. */
async function handOutEach (exchange, parts) {
  for await (const part of parts) if (part.name !== undefined) await exchange.handOut(part, part.field)
}

const handOutList = (exchange, files) => exchange.handOut(Object.values(files).flat())

function handleFiles (exchange, store, handOut = handOutList) {
  call(exchange, exchange.middleware.multipart({ ...exchange.options, store }), () => {
    exchange.follow(() => handOut(exchange, exchange.req.files))
  })
}

function handleWebFiles (exchange, store, handOut = handOutList) {
  callWeb(exchange, store, ({ files }) => exchange.follow(() => handOut(exchange, files)))
}

/** Of each file, `detect` does the act with its first bytes. */
function detectionOf (exchange) {
  return { ...exchange.options, detect: (head, { field }) => exchange.handOut(head, field) }
}

const callWeb = (exchange, store, proceed) => callWebBy(exchange, { ...exchange.options, store }, proceed)

/** The app disposes of a form when it has answered. */
function callWebBy (exchange, options, proceed) {
  const readForm = exchange.web.multipart(options)
  let form
  const parser = async (request) => {
    form = await readForm(request)
    if (exchange.res.closed) form.dispose()
    else exchange.res.once('close', () => form.dispose())
    return form.fields
  }
  callers.web(exchange, parser, (...error) => exchange.next(error, () => proceed(form)), signalOf(exchange))
}

const webPartsOf = (exchange) =>
  exchange.web.multipart(exchange.options).parts(callers.requestOf(exchange.req, signalOf(exchange)))

const partsOf = ({ middleware, options, req, res }) => middleware.multipart(options).parts(req, res)

const all = (records) => records
const batches = (records) => records.batches(BATCH)

/** @type {Record<string, [parser: string, choose: (records: object) => AsyncIterable<unknown>]>} */
const LOOPS = {
  records: ['ndjson', all],
  batches: ['ndjson', batches],
  items: ['jsonArray', all],
  'batches of items': ['jsonArray', batches]
}

for (const [name, [parser, choose]] of Object.entries(LOOPS)) {
  const handOut = (exchange, records) => exchange.handOut(choose(records), 'records')
  handlers[name] = (exchange) => call(exchange, exchange.middleware[parser](exchange.options), () => {
    exchange.follow(() => handOut(exchange, exchange.req.body))
  })
  handlers[`web ${name}`] = (exchange) => {
    const parse = exchange.web[parser](exchange.options)
    exchange.follow(() => handOut(exchange, parse(callers.requestOf(exchange.req, signalOf(exchange)))))
  }
}

/** Options with a function that does the act. */
const FUNCTIONS = {
  verify: (act) => ({ verify: (req, res, bytes) => act(bytes) }),
  parse: (act) => ({ parse: act }),
  schema: (act) => ({ schema: { '~standard': { version: 1, vendor: 'matrix', validate: act } } })
}

for (const [name, optionsWith] of Object.entries(FUNCTIONS)) {
  const optionsOf = (exchange) => {
    return { ...exchange.options, ...optionsWith((value) => exchange.handOut(value, name)) }
  }
  handlers[name] = (exchange) => call(exchange, exchange.middleware.json(optionsOf(exchange)))
  handlers[`web ${name}`] = (exchange) => {
    const next = (...error) => exchange.next(error, () => exchange.finish())
    callers.web(exchange, exchange.web.json(optionsOf(exchange)), next, signalOf(exchange))
  }
}

/** @param {() => void} [proceed] what the app does when `next` is called without an error */
function call (exchange, parser, proceed = () => exchange.finish()) {
  parser(exchange.req, exchange.res, (...error) => exchange.next(error, proceed))
}

/** Tells that the client has left, as adapters make it. */
function signalOf ({ connection, res }) {
  const controller = new AbortController()
  res.on('close', () => { if (!res.writableFinished) controller.abort() })
  connection.once('close', () => controller.abort()) // of an answered request, nothing else tells
  return controller.signal
}

module.exports = handlers
