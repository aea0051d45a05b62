'use strict'

// A request in the server, with what it belongs to: what is called and emitted
// on them, and which listeners the parser leaves.

const path = require('node:path')
const { Conditions } = require('../../tools/waiting')
const { timersOf } = require('./subjects')

const FRAMES = 6 // `pipe` adds listeners, too
const LIB = path.join(__dirname, '../../lib') + path.sep

/** What is destroyed within a 'close' event is closed already. */
const CLOSED = Symbol('close')

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
    this.isClosed = false // the connection
    this.emitters = {} // the request and what belongs to it
    this.listeners = new WeakSet() // of the parser
  }

  /** @param {boolean} notesListeners those of the parser */
  watch (req, res, notesListeners) {
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
      if (notesListeners && object !== res) for (const method of ['on', 'once']) this.noteListeners(object, method)
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
    try {
      res.writeHead(status, { 'Content-Length': text.length })
      res.end(text)
    } catch (fault) {
      this.faults.push(`a response in next throws ${fault.code ?? fault}`)
    }
  }

  /** What the parser has left behind. */
  leftovers () {
    const { budget } = this
    return {
      held: budget === null ? 0 : budget.used + budget.holding.size + budget.waiting.size,
      timers: timersOf(this),
      listeners: this.listenersLeft()
    }
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

module.exports = Watched
