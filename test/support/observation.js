'use strict'

// Records what can be seen of a request while a parser reads it, with body-parser
// and with this package: the records must be equal, in whatever packets the
// request arrives.

const assert = require('node:assert/strict')
const zlib = require('node:zlib')
const oracle = require('body-parser')
const subject = require('../..')
const { messageOf } = require('../../tools/http-message')
const { createRandom, shuffle } = require('../../tools/random')
const { arrivals } = require('./arrival')
const observe = require('./observe')

const GZIP = { 'Content-Encoding': 'gzip' }
const EVENTS = ['aborted', 'close', 'data', 'end', 'error', 'pause', 'readable', 'resume']

/**
 * Requests that end in different ways, and the options of their parser. Some
 * are drained: this package listens to them, because it bounds what is read off.
 */
const kinds = {
  JSON: { body: '{"a":1}' },
  'an empty body': { body: '' },
  'a syntax error': { body: '{"a":' },
  'a body over the limit': { body: '{"a":1}', options: { limit: 3 }, isDrained: true },
  'a failing verify': { body: '{}', options: { verify () { throw new Error('no') } } },
  'a refused charset': { body: '{}', type: 'application/json; charset=x' },
  'an unknown charset': { body: '{}', type: 'application/json; charset=utf-x', isDrained: true },
  'a refused coding': { body: '{}', headers: { 'Content-Encoding': 'x' } },
  'another type': { body: '{}', type: 'text/html' }
}

/** In these, zlib's thread decides when `next` is called. */
const codedKinds = {
  gzip: { body: zlib.gzipSync('{"a":1}'), headers: GZIP },
  'gzip that is corrupt': { body: 'junk', headers: GZIP },
  'gzip over the limit': { body: zlib.gzipSync('{"a":1}'), headers: GZIP, options: { limit: 3 } }
}

const cutKinds = { 'a request that is cut off': { body: '{"a"', cut: true } }

const WAYS_EACH = 2 // of arrival, for each framing

/** How pieces of a body become packets. Without the last chunk, the end cannot come alone. */
const framings = {
  declared: ({ pieces, cut, ...request }) => {
    const length = Buffer.concat(pieces).length + (cut ? 1 : 0)
    return packets(messageOf({ ...request, cut, pieces, length }))
  },
  chunked: (request) => {
    const { head, pieces } = messageOf({ ...request, chunked: true })
    return packets({ head, pieces: request.cut ? pieces : [...pieces.slice(0, -2), Buffer.concat(pieces.slice(-2))] })
  },
  'chunked, the end alone': (request) => packets(messageOf({ ...request, chunked: true }))
}

const packets = ({ head, pieces: [first, ...rest] }) => [Buffer.concat([Buffer.from(head), first]), ...rest]

/** A request in packets, in each framing and in two of the ways in which it may arrive. */
function packetsOf ({ body, type = 'application/json', headers, cut = false }, seed) {
  const request = { headers: { 'Content-Type': type, ...headers }, cut }
  const ways = Object.entries(arrivals(Buffer.from(body)))
  const random = createRandom(seed)
  const all = {}
  for (const framing of Object.keys(framings).slice(0, cut ? 2 : 3)) {
    for (const [way, pieces] of shuffle([...ways], random).slice(0, WAYS_EACH)) {
      all[`${framing}, ${way}`] = framings[framing]({ ...request, pieces })
    }
  }
  return all
}

let tests = 0

/** `handle` serves the request, and keeps what it sees by `note`; `next` does so, too, and calls `done`. */
function alike (title, handle, request = kinds.JSON) {
  const seed = ++tests
  it(title, async () => {
    for (const [way, packets] of Object.entries(packetsOf(request, seed))) {
      const theirs = await notesOf(oracle, packets, request, handle)
      const ours = await notesOf(subject, packets, request, handle)
      assert.notDeepEqual(theirs, [])
      assert.deepEqual(ours, theirs, `arriving ${way}`)
    }
  })
}

/** Moments after the call of a parser. */
const moments = {
  'in the same call': (act) => act(),
  'a tick later': (act) => process.nextTick(act),
  'a microtask later': (act) => queueMicrotask(act),
  'a turn later': (act) => setImmediate(act)
}

const text = (value) => Buffer.isBuffer(value) ? value.toString() : value?.code ?? value

function stateOf (req) {
  const { aborted, complete, destroyed, readableDidRead, readableEnded, readableFlowing, readableLength } = req
  const listeners = EVENTS.map((name) => `${name} ${req.listenerCount(name)}`)
  return { aborted, complete, destroyed, readableDidRead, readableEnded, readableFlowing, readableLength, listeners }
}

function noteEvents (req, note, names) {
  const { emit } = req
  req.emit = function (name, ...values) {
    if (names.includes(name)) note(name, ...values.map(text))
    return emit.call(this, name, ...values)
  }
}

async function notesOf (bodyParser, packets, { cut, options }, handle) {
  const notes = []
  const note = (...values) => notes.push(values)
  await observe((req, res, done) => {
    const next = (error) => {
      note('next', error?.type ?? error, req.body)
      done()
    }
    handle({ req, res, bodyParser, parser: bodyParser.json(options), note, next, done })
  }, { packets, cut })
  return notes
}

module.exports = { alike, codedKinds, cutKinds, EVENTS, kinds, moments, noteEvents, stateOf, text }
