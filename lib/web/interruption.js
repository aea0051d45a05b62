'use strict'

const { MAX_DELAY, performance, setTimeout } = require('../platform')
const errors = require('../errors')
const Timer = require('../guards/timer')

const LATE = 20 // ms

/** Intentionally module-level: what waits for bodies that may come before anybody has to listen. */
const late = new Set()
let isTimed = false // whether their timer runs

/** What ends the reading and the parsing of one Request early: its client leaves, or the time is over. */
class Interruption {
  constructor (request, timeout) {
    this.request = request
    this.signal = null // once this listens to it
    this.length = null // declared bytes, if they are the content's
    this.received = 0 // bytes so far
    this.fault = null // the error, once the request is interrupted
    this.timer = null
    this.callbacks = new Set() // get the error
    this.onAbort = () => this.happen(errors.aborted(this.length, this.received))
    if (timeout !== Infinity) this.schedule(performance.now() + timeout)
  }

  /** Not before something waits: to make the signal takes Deno as long as all else of a small request. */
  listen () {
    if (this.signal !== null || this.fault !== null) return
    this.signal = this.request.signal ?? null
    this.signal?.addEventListener('abort', this.onAbort)
    if (this.signal?.aborted) this.onAbort()
  }

  /** A timer may fire early, and takes 24 days at most. */
  schedule (end) {
    const left = end - performance.now()
    if (left <= 0) this.happen(errors.requestTimeout(this.received))
    else this.timer = new Timer(Math.min(left, MAX_DELAY), () => this.schedule(end))
  }

  happen (error) {
    this.fault ??= error
    this.close()
    for (const callback of this.callbacks) callback(this.fault)
  }

  /** @throws the fault, once there is one */
  check () {
    if (this.fault !== null) throw this.fault
  }

  /** @returns the value, or a promise of it that the fault rejects: a stream, or the app, may never settle its own */
  wait (value) {
    if (typeof value?.then !== 'function') return value
    this.listen()
    return new Promise((resolve, reject) => {
      this.callbacks.add(reject)
      if (this.fault !== null) reject(this.fault)
      Promise.resolve(value).then(resolve, reject).then(() => this.callbacks.delete(reject))
    })
  }

  /** The same for a body, of which most come before this has to listen. @param {Promise<unknown>} promise */
  waitLate (promise) {
    if (!isTimed) setTimeout(listenToLate, LATE)
    isTimed = true
    late.add(this)
    return new Promise((resolve, reject) => {
      this.callbacks.add(reject)
      promise.then(resolve, reject)
    })
  }

  /** Leaves no listener and no timer. */
  close () {
    late.delete(this)
    this.timer?.cancel()
    this.signal?.removeEventListener('abort', this.onAbort)
  }
}

function listenToLate () {
  isTimed = false
  for (const interruption of late) interruption.listen()
  late.clear()
}

module.exports = Interruption
