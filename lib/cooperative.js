'use strict'

// Large JSON bodies are parsed in slices, between which other requests have
// their turn (option `cooperative`). Small ones go the ordinary way.

const errors = require('./errors')
const { ensureBody } = require('./gate')
const { joinForGood } = require('./join')
const { settleLater } = require('./loop')
const Chunks = require('./slices/chunks')
const parse = require('./slices/parse')
const violationOf = require('./slices/strict')
const Turns = require('./slices/turns')
const { decode } = require('./slices/utf8')

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
      settleLater(joinInTurns(body, turnsFor(exchange)), (bytes) => finish(exchange, bytes), exchange.next)
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
        announce?.(decode(chunks).next().value)
        settleLater(readInTurns(exchange, chunks.withoutMark()), () => exchange.next(), exchange.next)
      } else {
        finish(exchange, body instanceof Chunks ? joinForGood(body.list, body.length) : body)
      }
    }
  }

  function turnsFor ({ req, length, received }) {
    return new Turns(slice, () => {
      if (isGone(req)) throw errors.aborted(length, received)
    })
  }

  async function readInTurns (exchange, chunks) {
    const { req } = exchange
    const turns = turnsFor(exchange)
    let fault
    try {
      const value = chunks.length === 0 ? {} : await turns.run(() => parse(chunks, turns, parser))
      if (!strict || isContainer(value)) {
        req.body = value
        return
      }
    } catch (error) {
      turns.check() // nobody waits for the rest
      fault = error
    }
    throw errors.unparsable(strict ? await violationOf(chunks, turns) ?? fault : fault, await textOf(chunks, turns))
  }
}

/** The connection, or over HTTP/2 the stream, is lost. */
function isGone ({ httpVersionMajor, stream, socket }) {
  return httpVersionMajor === 2 ? stream.aborted : socket?.destroyed === true
}

function isContainer (value) {
  return typeof value === 'object' && value !== null
}

async function joinInTurns (chunks, turns) {
  const bytes = Buffer.allocUnsafeSlow(chunks.length)
  let at = 0
  for (const chunk of chunks) {
    if (turns.isOver) await turns.next()
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
async function textOf (chunks, turns) {
  let text = ''
  for (const piece of decode(chunks)) {
    if (turns.isOver) await turns.next()
    try {
      text += piece
    } catch {
      return undefined
    }
  }
  return text
}

module.exports = createCooperation
