'use strict'

// One request in the server: the parser, the act, and what can be seen of both.

const App = require('./app')
const { behaviours } = require('./behaviours')
const FAULTS = require('./faults')
const lanes = require('./lanes')
const steps = require('./steps')
const { parsers } = require('./subjects')
const Watched = require('./watched')

const noFault = (req, next) => next

class Exchange extends Watched {
  constructor (cell, subject, folders, fault = null) {
    super()
    this.lane = lanes[cell.lane]
    this.step = steps[cell.step]
    this.doing = this.lane.acts[cell.act]
    this.behaviour = behaviours[cell.client]
    this.folders = folders
    this.fault = fault
    this.parsers = this.lane.isWeb ? subject.web : this.lane.parser === 'multer' ? subject.uploads : subject.middleware
    this.error = Object.assign(new Error('of the act'), { code: 'OF_THE_ACT', exchange: this })
    this.calls = [] // of `next`
    this.acted = 0
    this.handler = null // { state, error } of the app's own, once it is called
    this.readers = []
    this.seen = []
    this.sent = defer() // the client has done all that it does
    this.over = defer() // `next` is called, or the handler is done
    this.gone = defer() // the response is closed
  }

  handle (req, res) {
    this.watch(req, res)
    res.once('close', () => this.gone.resolve())
    const parse = () => {
      this.options = this.createOptions()
      this.lane.serve(this)
    }
    if (this.lane.isGiven) return parse()
    const act = () => this.interfere()
    if (this.step.arrange !== undefined) return this.step.arrange({ req, parse, act })
    parse()
    this.step.wait(act)
  }

  createOptions () {
    const { behaviour, folders, lane: { guards, options }, step: { hook } } = this
    const { createBudget } = parsers.middleware
    const ofLane = typeof options === 'function' ? options({ createBudget, folders }) : options
    const own = { ...ofLane, ...behaviour.options }
    if (guards !== undefined) Object.assign(own, guards, { budget: createBudget({ bytes: guards.budget }) })
    this.budget = own.budget ?? null
    const called = (original) => (...args) => {
      if (this.acted === 0) this.interfere()
      return original(...args)
    }
    if (hook === 'verify') own.verify = called(own.verify ?? (() => {}))
    if (hook === 'fileFilter') own.fileFilter = called((req, file, done) => done(null, true))
    if (hook === 'parse' && own.parse) own.parse = called(own.parse)
    else if (hook === 'parse') own.reviver = called((key, value) => value)
    return own
  }

  /** Other code acts on the request. What an event without listeners throws, for one, is not the parser's. */
  interfere () {
    const { doing, step: { hook } } = this
    this.acted++
    try {
      doing.run(this)
    } catch (error) {
      if (hook !== undefined || doing.throws) throw error
    }
  }

  /** The app does its act with something, in its time. @returns what the act returns */
  handOut (thing, label) {
    const { doing, fault, step } = this
    const app = new App(this, label)
    const given = fault === 'content' && Buffer.isBuffer(thing) ? thing.subarray(1) : thing
    if (step === steps['at once']) return doing.run(given, app)
    return new Promise((resolve) => step.wait(resolve, this)).then(() => doing.run(given, app))
  }

  /** @returns {Function} `next` @param {() => void} [proceed] what the app does without an error */
  next (proceed = () => this.respond(200, 'done')) {
    const { budget, fault, folders, req } = this
    return (FAULTS[fault] ?? noFault)(req, (...error) => this.onNext(error, proceed), { budget, folders })
  }

  onNext (error, proceed) {
    this.calls.push({ error, within: this.callsAround(), body: this.req.body, isEarly: !this.hasLeft })
    this.over.resolve()
    this.check()
    if (this.step.hook === 'next' && this.calls.length === 1) this.interfere()
    if (this.calls.length > 1) return
    if (this.isFailed) this.fail(error[0])
    else proceed()
  }

  /** Calls the app's handler, and responds when it is done. */
  follow (handle) {
    const handler = this.handler = { state: 'pending', error: null }
    const end = (changes) => {
      Object.assign(handler, changes)
      this.over.resolve()
      if (handler.state === 'done') this.respond(200, 'done')
      else this.fail(handler.error)
      this.check()
    }
    const handled = new Promise((resolve) => resolve(handle()))
    this.check()
    handled.then(() => end({ state: 'done' }), (error) => end({ state: 'failed', error }))
  }

  fail (error) {
    this.respond(error?.status >= 400 ? error.status : 500, Watched.describe(error))
  }

  /** All that the app has been given is read, or has failed; all that it called has ended. */
  get isSettled () {
    const { calls, client, doing, handler, lane, readers } = this
    if (lane.hasNext && calls.length === 0) return false
    if (readers.some(({ state }) => state === 'pending')) return false
    if (handler?.state === 'pending') return doing.hangs === true
    return client.isOver && (handler !== null || lane.hasNext)
  }

  get isFailed () {
    return this.calls.some(({ error }) => error.length > 0 && error[0] !== undefined)
  }

  /** What is seen of the exchange once it has ended. */
  observe () {
    const { acted, calls, client, faults, handler, readers, seen, uncaught } = this
    return { acted, answer: client.answer(), calls, faults, handler, left: this.leftovers(), readers, seen, uncaught }
  }

  leftovers () {
    const { calls, folders, isFailed, lane } = this
    const isStored = lane.parser === 'multer' && calls.length > 0 && !isFailed
    return [...super.leftovers(), ...folders === null || isStored ? [] : folders.leftovers()]
  }

  listenersLeft () {
    return this.doing.abandons ? [] : super.listenersLeft()
  }
}

function defer () {
  let settle
  const promise = new Promise((resolve) => { settle = resolve })
  return Object.assign(promise, { resolve: settle })
}

module.exports = Exchange
