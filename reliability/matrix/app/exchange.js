'use strict'

// One request in the server: what the app is given, does with it, and gets.

const Watched = require('../watched')
const { describe } = Watched
const App = require('./app')
const behaviours = require('./behaviours')
const { times } = require('./cells')
const { bodies } = require('./content')
const lanes = require('./lanes')

const BUDGET = 10_000_000 // bytes

class Exchange extends Watched {
  /**
   * @param {import('./cells').Cell} cell
   * @param {{ middleware: object, web: object }} subject the parsers
   * @param {object | null} folders of a lane that stores files
   */
  constructor (cell, { middleware, web }, folders) {
    super()
    this.middleware = middleware
    this.web = web
    this.folders = folders
    this.lane = lanes[cell.lane]
    const { type, [this.lane.coding ?? 'bytes']: bytes } = bodies[this.lane.body]
    this.body = { type, bytes }
    this.behaviour = behaviours[cell.client]
    this.perform = this.lane.acts[cell.act]
    this.time = times[cell.time]
    this.error = Object.assign(new Error('of the act'), { code: 'OF_THE_ACT', exchange: this })
    if (this.lane.hasBudget) this.budget = middleware.createBudget({ bytes: BUDGET })
    this.options = { ...this.lane.options, ...this.behaviour.options, ...this.budget && { budget: this.budget } }
    this.calls = [] // of `next`
    this.handler = null // { state, error } of the app's own, once it is called
    this.readers = []
    this.seen = []
    this.sent = defer() // the client has done all that it does
    this.over = defer() // `next` is called, or the handler is done
    this.gone = defer() // the response is closed
  }

  handle (req, res) {
    this.watch(req, res, true)
    res.once('close', () => this.gone.resolve())
    this.lane.serve(this)
  }

  /** The app does its act with something, in its time. @returns what the act returns */
  handOut (thing, label) {
    const { perform: { run }, time } = this
    const app = new App(this, label)
    if (time === times['at once']) return run(thing, app)
    return new Promise((resolve) => time(resolve, this)).then(() => run(thing, app))
  }

  /**
   * @param {[] | [unknown]} error the arguments of `next`
   * @param {() => void} proceed what the app does without an error
   */
  next (error, proceed) {
    this.calls.push({ error, within: this.callsAround(), body: this.req.body })
    this.over.resolve()
    this.check()
    if (this.calls.length > 1) return
    if (error.length > 0) this.fail(error[0])
    else proceed()
  }

  /** Calls the app's handler, and responds when it is done. */
  follow (handle) {
    const handler = this.handler = { state: 'pending', error: null }
    const end = (changes) => {
      Object.assign(handler, changes)
      this.over.resolve()
      if (handler.state === 'done') this.finish()
      else this.fail(handler.error)
      this.check()
    }
    const handled = new Promise((resolve) => resolve(handle()))
    this.check()
    handled.then(() => end({ state: 'done' }), (error) => end({ state: 'failed', error }))
  }

  finish () {
    this.respond(200, 'done')
  }

  fail (error) {
    this.respond(error?.status >= 400 ? error.status : 500, describe(error))
  }

  /** All that the app has been given is read, or has failed; all that it called has ended. */
  get isSettled () {
    const { calls, client, handler, lane, perform, readers } = this
    if (lane.hasNext && calls.length === 0) return false
    if (readers.some(({ state }) => state === 'pending')) return false
    if (handler?.state === 'pending') return perform.hangs === true
    return client.isOver && (handler !== null || lane.hasNext)
  }

  /** All that the app has got. */
  get errors () {
    const { calls, handler, readers } = this
    return [
      ...calls.flatMap(({ error }) => error), handler?.error, ...readers.map(({ error }) => error)
    ].filter(Boolean)
  }

  /** What is seen of the exchange once it has ended. */
  observe () {
    const { calls, client, faults, handler, readers, seen, uncaught } = this
    return { answer: client.answer(), calls, faults, handler, readers, seen, uncaught }
  }

  leftovers () {
    return [...super.leftovers(), ...this.folders?.leftovers() ?? []]
  }

  listenersLeft () {
    return this.perform.abandons ? [] : super.listenersLeft()
  }
}

function defer () {
  let settle
  const promise = new Promise((resolve) => { settle = resolve })
  return Object.assign(promise, { resolve: settle })
}

module.exports = Exchange
