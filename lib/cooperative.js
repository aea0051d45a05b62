'use strict'

// Large JSON bodies are parsed in slices, between which other requests have
// their turn (option `cooperative`). Small ones go the ordinary way.

const errors = require('./errors')
const { ensureBody } = require('./gate')
const { joinForGood } = require('./join')
const { settleLater } = require('./loop')
const Chunks = require('./slices/chunks')
const parse = require('./slices/parse')
const Task = require('./slices/scheduler')
const violationOf = require('./slices/strict')

/**
 * @param {object} settings
 * @param {number} settings.slice ms to work in a turn of the event loop
 * @param {number} settings.threshold bytes; what is larger is parsed in slices
 * @param {boolean} settings.strict accept objects and arrays only
 * @param {object} settings.parser options of slices/parse.js
 */
function createCooperation ({ slice, threshold, strict, parser }) {
  return { keepApart, gather, joinFirst, divert }

  /** Large bodies are not joined: that would hold the loop. */
  function keepApart (join) {
    return (chunks, length) => length > threshold ? new Chunks(chunks, length) : join(chunks, length)
  }

  /** What raw-body does, but for the joining. */
  function gather (stream, limit, done) {
    const chunks = []
    let received = 0
    stream.on('data', (chunk) => {
      received += chunk.length
      chunks.push(chunk)
      if (received > limit) done(errors.receivedTooLarge(received, limit))
    })
    stream.on('error', done)
    stream.on('end', () => done(null, keepApart(joinForGood)(chunks, received)))
  }

  /** For those who get to see the bytes. */
  function joinFirst (finish) {
    return function joinThenFinish (exchange, body) {
      if (!(body instanceof Chunks)) {
        finish(exchange, body)
        return
      }
      ensureBody(exchange.req)
      settleLater(joinInTurns(body, taskFor(exchange)), (bytes) => finish(exchange, bytes), exchange.next)
    }
  }

  /**
   * @param {(exchange: import('./exchange'), bytes: Buffer) => void} finish the
   *   ordinary way
   * @param {(text: string) => void} [announce] traces what is to be parsed, of
   *   which it gets the beginning
   */
  function divert (finish, announce) {
    return function finishInSlices (exchange, body) {
      if (body.length > threshold && exchange.charset === 'utf-8') {
        ensureBody(exchange.req)
        const chunks = body instanceof Chunks ? body : new Chunks([body], body.length)
        announce?.(chunks.decode().next().value)
        settleLater(readInTurns(exchange, chunks.withoutByteOrderMark()), () => exchange.next(), exchange.next)
      } else {
        finish(exchange, body instanceof Chunks ? joinForGood(body.list, body.length) : body)
      }
    }
  }

  function taskFor ({ req, length, received }) {
    return new Task(slice, () => {
      if (isGone(req)) throw errors.aborted(length, received)
    })
  }

  async function readInTurns (exchange, chunks) {
    const { req } = exchange
    const task = taskFor(exchange)
    let fault
    try {
      const value = chunks.length === 0 ? {} : await task.run(() => parse(chunks, task, parser))
      if (!strict || isContainer(value)) {
        req.body = value
        return
      }
    } catch (error) {
      task.throwIfCancelled() // nobody waits for the rest
      fault = error
    }
    throw errors.unparsable(strict ? await violationOf(chunks, task) ?? fault : fault, await textOf(chunks, task))
  }
}

/** The connection, or over HTTP/2 the stream, is lost. */
function isGone ({ httpVersionMajor, stream, socket }) {
  return httpVersionMajor === 2 ? stream.aborted : socket?.destroyed === true
}

function isContainer (value) {
  return typeof value === 'object' && value !== null
}

async function joinInTurns (chunks, task) {
  const bytes = Buffer.allocUnsafeSlow(chunks.length)
  let at = 0
  for (const chunk of chunks) {
    if (task.shouldYield()) await task.yield()
    bytes.set(chunk, at)
    at += chunk.length
  }
  return bytes
}

/**
 * The engine joins the pieces when the text is first looked into.
 *
 * @returns {Promise<string | undefined>} undefined over its longest string
 */
async function textOf (chunks, task) {
  let text = ''
  for (const piece of chunks.decode()) {
    if (task.shouldYield()) await task.yield()
    try {
      text += piece
    } catch {
      return undefined
    }
  }
  return text
}

module.exports = createCooperation
