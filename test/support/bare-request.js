'use strict'

// Requests that tests and adapters make of a stream and a few fields.

const assert = require('node:assert/strict')
const { Socket } = require('node:net')
const { PassThrough } = require('node:stream')
const { setTimeout: delay } = require('node:timers/promises')
const HANG_TIME = require('./hang-time')
const { outcomeOf } = require('./outcome')

const destroyedSocket = () => new Socket().destroy()

/** Fields of a request, made anew for each. */
const SHAPES = {
  'no socket': () => ({}),
  'no socket, and a complete that is false': () => ({ complete: false }),
  'no socket, and a complete that is true': () => ({ complete: true }),
  'no socket, and a complete that is null': () => ({ complete: null }),
  'no socket, and a complete that is a text': () => ({ complete: 'no' }),
  'a socket that is null': () => ({ complete: false, socket: null }),
  'a socket that is a text': () => ({ complete: false, socket: 'none' }),
  'a socket with nothing but an address': () => ({ complete: false, socket: { remoteAddress: '::1' } }),
  'a destroyed socket': () => ({ complete: false, socket: destroyedSocket() }),
  'a destroyed socket, and no complete': () => ({ socket: destroyedSocket() }),
  'no headersDistinct and no rawHeaders': () => ({ complete: false, headersDistinct: null, rawHeaders: undefined }),
  'the version of HTTP/2, and no stream': () => ({ httpVersionMajor: 2 }),
  'the version of HTTP/2, and a stream that is null': () => ({ complete: false, httpVersionMajor: 2, stream: null })
}

const nothing = () => {}
const fail = () => { throw new Error('of the response') }
const silent = { on: nothing, once: nothing, removeListener: nothing, setHeader: nothing }

const RESPONSES = {
  'an empty response': {},
  'no response': undefined,
  'a response that is null': null,
  'a response whose functions return nothing': silent,
  'a response that throws': new Proxy({}, { get: fail, set: fail })
}

function createRequest (shape, headers) {
  const stream = new PassThrough()
  stream.on('error', () => {}) // that of a stream which is destroyed
  return Object.assign(stream, { headers: { ...headers } }, shape())
}

/** What the app sees; fails if `next` is called twice. */
async function outcome (parser, req, res, send) {
  const calls = []
  const called = new Promise((resolve) => {
    parser(req, res, (...error) => {
      calls.push(error)
      resolve()
    })
  })
  send(req)
  await Promise.race([called, delay(HANG_TIME, undefined, { ref: false })])
  await new Promise(setImmediate)
  assert.equal(calls.length, 1, 'next is called once')
  const [[error]] = calls
  // The engine's message about a field that is not a string names the expression.
  return error instanceof TypeError ? 'TypeError' : outcomeOf(req, error)
}

/** A stream that is writable is finished, for body-parser, when its socket is not. */
const isSkipped = ({ socket }) => Boolean(socket && !socket.writable)

module.exports = { RESPONSES, SHAPES, createRequest, isSkipped, outcome }
