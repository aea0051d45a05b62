'use strict'

// A request in the server, with what it belongs to: what is called and emitted
// on them, and which listeners the parser leaves.

const path = require('node:path')
const { split } = require('../../tools/http-message')
const { Conditions } = require('../../tools/waiting')
const { timersOf } = require('./subjects')

const PIECES = 4 // writes of a client that sends slowly
const ARRIVAL = 20 // ms for a piece, which may be kept from arriving
const FRAMES = 6 // `pipe` adds listeners, too
const LIB = path.join(__dirname, '../../lib') + path.sep

/** What is destroyed within a 'close' event is closed already. */
const CLOSED = Symbol('close')

/** Error -> the exchange in whose events it was thrown, as over HTTP/2 the end of a request has no context. */
const owners = new WeakMap()

class Watched extends Conditions {
  constructor () {
    super()
    this.client = null
    this.req = this.res = this.stream = null
    this.connection = null // a socket, or a session of HTTP/2
    this.budget = null
    this.faults = []
    this.uncaught = []
    this.inside = [] // what is being called or emitted
    this.arrived = 0 // chunks
    this.hasLeft = false // the client
    this.isClosed = false // the connection
    this.emitters = {} // the request and what belongs to it
    this.listeners = new WeakSet() // of the parser
  }

  watch (req, res) {
    const stream = req.stream ?? null
    const connection = stream?.session ?? req.socket
    Object.assign(this, { req, res, stream, connection })
    this.emitters = { req, res, connection, ...stream && { stream } }
    for (const [name, object] of Object.entries(this.emitters)) {
      this.noteCalls(object, 'destroy', () => `${name}.destroy()`)
      this.noteCalls(object, 'emit', (event) => {
        if (event === 'close') return CLOSED
        return event === 'aborted' ? `'aborted' of ${name}` : null
      })
      if (object !== res) for (const method of ['on', 'once']) this.noteListeners(object, method)
    }
    const push = req.push
    req.push = (chunk, ...rest) => {
      if (chunk !== null) this.arrived++
      this.check()
      return push.call(req, chunk, ...rest)
    }
    connection.on('close', () => {
      this.isClosed = true
      this.check()
    })
  }

  noteCalls (object, method, label) {
    const original = object[method]
    object[method] = (...args) => {
      this.inside.push(label(...args))
      try {
        return original.apply(object, args)
      } catch (error) {
        if (!owners.has(Object(error))) owners.set(Object(error), this)
        throw error
      } finally {
        this.inside.pop()
      }
    }
  }

  noteListeners (object, method) {
    const original = object[method]
    object[method] = (event, listener) => {
      if (isCalledBy(LIB)) this.listeners.add(listener)
      return original.call(object, event, listener)
    }
  }

  /** What is being called or emitted now, of what is not closed yet. @returns {string[]} */
  callsAround () {
    const closed = this.inside.indexOf(CLOSED)
    return this.inside.slice(0, closed === -1 ? undefined : closed).filter(Boolean)
  }

  respond (status, text) {
    const { res } = this
    if (res.headersSent || res.writableEnded) return // by the act
    // Nothing can be sent. Node.js 20.0 and 22.0 throw ERR_HTTP2_INVALID_STREAM then, until the stream is destroyed.
    if (res.stream?.closed) return
    try {
      res.writeHead(status, { 'Content-Length': text.length })
      res.end(text)
    } catch (fault) {
      this.faults.push(`a response in next throws ${fault.code ?? fault}`)
    }
  }

  /** Some of the body has arrived, or does not within that time. */
  arrival (pieces = 1) {
    return this.until(() => this.arrived >= pieces || this.client.isOver, ARRIVAL)
  }

  /** Sends a body in pieces, each once those before have arrived. @param {(sent: number) => unknown} pause */
  async sendSlowly (body, pause) {
    for (const [index, piece] of split(body, PIECES).entries()) {
      if (index === 0) this.begin(piece)
      else this.client.more(piece)
      await this.arrival(index + 1)
      await pause(index + 1)
    }
  }

  leave () {
    this.hasLeft = true
    this.client.close()
  }

  /** Closes both ends of the connection. @param {number} patience ms until the server's end closes by itself */
  async part (patience) {
    this.leave()
    await this.until(() => this.isClosed, patience)
    this.connection?.destroy() // as a server does in the end whose client is gone
  }

  /** @returns {string[]} what the parser has left behind */
  leftovers () {
    const { budget } = this
    const held = budget === null ? 0 : budget.used + budget.holding.size + budget.waiting.size
    const timers = timersOf(this)
    return [
      held > 0 && `${held} bytes or requests in the budget`,
      timers > 0 && `${timers} timers`,
      ...this.listenersLeft().map((listener) => `listener ${listener}`)
    ].filter(Boolean)
  }

  listenersLeft () {
    return Object.entries(this.emitters).flatMap(([name, object]) => {
      const events = object.eventNames().filter((event) => event !== 'finish') // of a response that may never be sent
      return events.flatMap((event) => {
        const left = object.listeners(event).filter((listener) => this.listeners.has(listener))
        return left.map((listener) => `${listener.name || 'a function'} for '${String(event)}' of ${name}`)
      })
    })
  }
}

/** Whether the nearest code that is not Node's is in this folder. */
function isCalledBy (folder) {
  const { prepareStackTrace, stackTraceLimit } = Error
  Error.prepareStackTrace = (_, sites) => sites // a text of them takes ten times as long
  Error.stackTraceLimit = FRAMES
  const files = new Error().stack.slice(2).map((site) => site.getFileName()) // without this function and its caller
  Object.assign(Error, { prepareStackTrace, stackTraceLimit })
  return files.find((file) => file !== null && !file.startsWith('node:'))?.startsWith(folder) ?? false
}

const describe = (error) => String(error?.type ?? error?.code ?? error)

module.exports = Watched
Object.assign(module.exports, { describe, owners })
