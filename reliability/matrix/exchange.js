'use strict'

// One request in the server: the parser, the act, and what can be seen of both.

const path = require('node:path')
const { Conditions } = require('../../tools/waiting')
const acts = require('./acts')
const { lanes } = require('./lanes')
const steps = require('./steps')
const { timersOf } = require('./subjects')

const FRAMES = 6 // `pipe` adds listeners, too
const LIB = path.join(__dirname, '../../lib') + path.sep

/** What is destroyed within a 'close' event is closed already. */
const CLOSED = Symbol('close')

class Exchange extends Conditions {
  /**
   * @param {import('./cells').Cell} cell
   * @param {{ middleware: object, web: object | null }} subject the parsers
   */
  constructor (cell, subject) {
    super()
    this.subject = subject
    this.isOurs = subject.middleware.createBudget !== undefined
    this.lane = lanes[cell.lane]
    this.step = steps[cell.step]
    this.perform = acts[cell.act].run
    this.error = Object.assign(new Error('of the act'), { code: 'OF_THE_ACT', exchange: this })
    this.client = null
    this.req = this.res = this.stream = null
    this.connection = null // a socket, or a session of HTTP/2
    this.budget = null
    this.calls = [] // of `next`
    this.faults = []
    this.uncaught = []
    this.inside = [] // what is being called or emitted
    this.arrived = 0 // chunks
    this.acted = 0
    this.hasLeft = false // the client
    this.isClosed = false // the connection
    this.emitters = {} // the request and what belongs to it
    this.listeners = new WeakSet() // of the parser
  }

  handle (req, res) {
    this.req = req
    this.res = res
    this.stream = req.stream ?? null
    this.connection = this.stream?.session ?? req.socket
    this.watch()
    this.step.arrange({ req, parse: () => this.parse(), act: () => this.act() })
  }

  /** Notes what is called and emitted on the request and what belongs to it, and who listens. */
  watch () {
    const { req, res, connection, stream } = this
    this.emitters = { req, res, connection, ...stream && { stream } }
    for (const [name, object] of Object.entries(this.emitters)) {
      this.noteCalls(object, 'destroy', () => `${name}.destroy()`)
      this.noteCalls(object, 'emit', (event) => event === 'aborted' ? `'aborted' of ${name}` : event === 'close' ? CLOSED : null)
      if (this.isOurs && object !== res) for (const method of ['on', 'once']) this.noteListeners(object, method)
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

  act () {
    this.acted++
    if (this.step.hook === undefined && this.perform !== acts.throw.run) {
      try {
        this.perform(this)
      } catch {} // such as what an event without listeners throws
    } else {
      this.perform(this)
    }
  }

  parse () {
    const { lane, req, res, subject: { middleware, web } } = this
    const factories = lane.call?.module === 'web' ? web : middleware
    const parser = factories[lane.parser](this.options())
    const next = (...error) => this.next(...error)
    if (lane.call === undefined) parser(req, res, next)
    else lane.call(this, parser, next)
  }

  options () {
    const { lane: { isGuarded, options }, step: { hook }, subject: { middleware: { createBudget } } } = this
    const own = { ...typeof options === 'function' ? options({ createBudget }) : options }
    if (isGuarded && this.isOurs) Object.assign(own, { budget: createBudget({ bytes: 1_000_000 }), timeout: 5000, minRate: 1 })
    this.budget = own.budget ?? null
    const called = (original) => (...args) => {
      if (this.acted === 0) this.act()
      return original(...args)
    }
    if (hook === 'verify') own.verify = called(own.verify ?? (() => {}))
    if (hook === 'parse' && own.parse) own.parse = called(own.parse)
    else if (hook === 'parse') own.reviver = called((key, value) => value)
    return own
  }

  next (...args) {
    const [error] = args
    const closed = this.inside.indexOf(CLOSED)
    const within = this.inside.slice(0, closed === -1 ? undefined : closed).filter(Boolean)
    this.calls.push({
      result: args.length === 0 ? this.bodyText() : String(error?.type ?? error?.code ?? error?.status ?? error),
      status: error?.status ?? null,
      within,
      isEarly: !this.hasLeft
    })
    this.check()
    if (this.step.hook === 'next' && this.calls.length === 1) this.act()
    if (this.calls.length === 1) this.respond(error)
  }

  bodyText () {
    const { body } = this.req
    if (body === undefined) return 'no body'
    const text = Buffer.isBuffer(body) ? body.toString('latin1') : JSON.stringify(body)
    return text.length > 100 ? `${text.slice(0, 20)}...${text.length}` : text
  }

  respond (error) {
    const { res } = this
    if (res.headersSent || res.writableEnded) return // by the act
    const text = error ? String(error.type) : 'parsed'
    try {
      res.writeHead(error?.status >= 400 ? error.status : error ? 500 : 200, { 'Content-Length': text.length })
      res.end(text)
    } catch (fault) {
      this.faults.push(`a response in next throws ${fault.code ?? fault}`)
    }
  }

  /** What is left once the exchange has ended. */
  observe () {
    const { budget, calls, faults, uncaught, client } = this
    return {
      acted: this.acted,
      calls: calls.map(({ result, status }) => status === null ? result : `${status} ${result}`),
      isEarly: calls[0]?.isEarly,
      within: calls.flatMap(({ within }) => within),
      answer: client.answer(),
      uncaught: [...uncaught],
      faults: [...faults],
      held: budget === null ? 0 : budget.used + budget.holding.size + budget.waiting.size,
      timers: timersOf(this),
      listeners: this.listenersLeft(),
      isNative: this.lane.call?.module === 'web'
    }
  }

  listenersLeft () {
    return Object.entries(this.emitters).flatMap(([name, object]) => object.eventNames().flatMap((event) => object.listeners(event)
      .filter((listener) => this.listeners.has(listener) && event !== 'finish') // of a response that may never be sent
      .map((listener) => `${listener.name || 'a function'} for '${String(event)}' of ${name}`)))
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

module.exports = Exchange
