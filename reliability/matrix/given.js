'use strict'

// Lanes in which a parser gives something to the app: what, of which body, and how.

const mapValues = require('../../tools/map-values')
const { disk, memory, webMemory } = require('./acts/files')
const functions = require('./acts/functions')
const loops = require('./acts/loops')
const { streams, webStreams } = require('./acts/streams')
const callers = require('./callers')
const { bodies, document, fields, files, records } = require('./content')
const schemaOf = require('../../test/support/schema-of')

const BATCH = 7 // records
const BUDGET = 10_000_000 // bytes
const HEAD = 4100 // bytes that `detect` gets

/** Tells that the client has left, as adapters make it. */
function signalOf ({ connection, res }) {
  const controller = new AbortController()
  res.on('close', () => { if (!res.writableFinished) controller.abort() })
  connection.once('close', () => controller.abort()) // of an answered request, nothing else tells
  return controller.signal
}

/** What a loop is over. */
const sourceOf = (exchange) =>
  exchange.lane.isWeb ? [callers.requestOf(exchange.req, signalOf(exchange))] : [exchange.req, exchange.res]

/** @param {(req: object) => void} [proceed] what the app does without an error */
function call (exchange, parser, proceed) {
  const { lane: { isWeb }, req, res } = exchange
  const next = exchange.next(proceed)
  if (isWeb) callers.web(exchange, parser, next, signalOf(exchange))
  else parser(req, res, next)
}

/** The app disposes of a form of /web when it has answered. */
const disposing = (exchange, readForm) => async (request) => {
  const form = await readForm(request)
  if (exchange.res.closed) form.dispose()
  else exchange.res.once('close', () => form.dispose())
  exchange.req.files = form.files
  return form.fields
}

/** Of a form, the app is given files, once it may have them, or something meanwhile. */
const ofForm = (optionsOf, give) => (exchange) => {
  const { lane: { isWeb }, parsers, req } = exchange
  const parser = parsers.multipart({ ...exchange.options, ...optionsOf(exchange) })
  const proceed = give && (() => exchange.follow(() => give(exchange, req.files)))
  call(exchange, isWeb ? disposing(exchange, parser) : parser, proceed)
}

const list = (exchange, files) => exchange.handOut(Object.values(files).flat())
const whole = (exchange, loop) => exchange.handOut(loop)

/** Files of a loop, in an ordinary one. */
async function each (exchange, loop) {
  for await (const part of loop) if (part.name !== undefined) await exchange.handOut(part, part.field)
}

const ofParts = (give) => (exchange) => exchange.follow(() => {
  const { options, parsers } = exchange
  return give(exchange, parsers.multipart(options).parts(...sourceOf(exchange)))
})

const ofRecords = (parser, choose) => (exchange) => {
  const { lane: { isWeb }, options, parsers, req } = exchange
  const parse = parsers[parser](options)
  const give = (records) => exchange.handOut(choose(records), 'records')
  if (isWeb) exchange.follow(() => give(parse(...sourceOf(exchange))))
  else call(exchange, parse, () => exchange.follow(() => give(req.body)))
}

/** @param {(act: Function) => object} optionsWith a function that does the act */
const ofFunction = (label, optionsWith) => (exchange) => {
  const act = (value) => exchange.handOut(value, label)
  call(exchange, exchange.parsers.json({ ...exchange.options, ...optionsWith(act) }))
}

const all = (records) => records
const batches = (records) => records.batches(BATCH)
const byStream = () => ({ store: 'stream' })
const byStore = (exchange) => ({ store: (file) => exchange.handOut(file, file.field) })
const onDisk = ({ folders, parsers }) => ({ store: parsers.multipart.disk(folders.temporary) })
const byDetect = (exchange) => ({ detect: (head, { field }) => exchange.handOut(head, field) })

const checked = { options: { detect: () => 'a/b', digest: 'sha256', contentDigest: 'require' } }
const form = { body: 'form', hasNext: true, expected: fields, contents: files }
const streamed = { ...form, body: 'form, files last', callsEarly: true }
const ofForms = { body: 'form', contents: files }
const loop = { kind: 'loop', acts: loops.records, body: 'records', contents: { records } }
const items = { ...loop, body: 'items' }
const ofJson = {
  kind: 'function', acts: functions, body: 'document', hasNext: true, comesWhole: true, expected: document
}
const stream = { kind: 'stream', acts: streams, web: { kind: 'web stream', acts: webStreams } }
const parts = { kind: 'parts', acts: loops.parts }
const heads = mapValues(files, (bytes) => bytes.subarray(0, HEAD))

/** `web`: what is otherwise on /web. @type {Record<string, Partial<import('./lanes').Lane> & { web?: object }>} */
const plain = {
  memory: {
    ...form,
    kind: 'memory',
    acts: memory,
    comesWhole: true,
    serve: ofForm(() => ({ store: 'memory' }), list),
    web: { kind: 'web memory', acts: webMemory }
  },
  disk: { ...form, kind: 'disk', acts: disk, comesWhole: true, hasFiles: true, serve: ofForm(onDisk, list) },
  store: { ...form, ...stream, serve: ofForm(byStore) },
  'checked store': { ...form, ...stream, ...checked, serve: ofForm(byStore) },
  'streamed file': { ...streamed, ...stream, serve: ofForm(byStream, each) },
  'streamed files': { ...streamed, ...parts, serve: ofForm(byStream, whole) },
  'checked streamed files': { ...streamed, ...parts, ...checked, serve: ofForm(byStream, whole) },
  part: { ...ofForms, ...stream, serve: ofParts(each) },
  parts: { ...ofForms, ...parts, serve: ofParts(whole) },
  detect: { ...form, kind: 'detect', acts: functions, contents: heads, serve: ofForm(byDetect) },
  verify: {
    ...ofJson,
    contents: { verify: bodies.document.bytes },
    serve: ofFunction('verify', (act) => ({ verify: (req, res, bytes) => act(bytes) }))
  },
  parse: {
    ...ofJson,
    contents: { parse: bodies.document.bytes.toString() },
    serve: ofFunction('parse', (act) => ({ parse: act }))
  },
  schema: {
    ...ofJson,
    contents: { schema: document },
    serve: ofFunction('schema', (act) => ({ schema: schemaOf(act) }))
  }
}

for (const [name, lane, parser, choose] of [
  ['records', loop, 'ndjson', all],
  ['batches', loop, 'ndjson', batches],
  ['items', items, 'jsonArray', all],
  ['batches of items', items, 'jsonArray', batches]
]) plain[name] = { ...lane, hasNext: true, serve: ofRecords(parser, choose), web: { hasNext: false } }

/** Digests on /web need node:crypto, which Node.js gives without `require` since 20.16. */
const isOnWeb = (name) => process.getBuiltinModule !== undefined || !name.startsWith('checked')

/** Each as it is and in gzip, on /web, and without and with a budget, which a Request has not. */
const lanes = {}
for (const [name, { web, ...lane }] of Object.entries(plain)) {
  for (const coding of [null, 'gzip']) {
    const { type, [coding ?? 'bytes']: body } = bodies[lane.body]
    const full = { ...lane, isGiven: true, type, body, coding, isChunked: coding !== null }
    const suffix = coding === null ? '' : ', gzip'
    if (isOnWeb(name)) lanes[`web ${name}${suffix}`] = { ...full, ...web, source: `web ${name}`, isWeb: true }
    lanes[`${name}${suffix}`] = { ...full, source: name }
    lanes[`${name}${suffix}, budget`] = { ...full, source: name, guards: { budget: BUDGET } }
  }
}

module.exports = lanes
