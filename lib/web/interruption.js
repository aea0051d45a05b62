'use strict'

const { MAX_DELAY, performance } = require('../platform')
const errors = require('../errors')
const Timer = require('../guards/timer')

/** What ends the reading and the parsing of one Request early: its client leaves, or the time is over. */
class Interruption {
  constructor ({ signal }, timeout) {
    this.signal = signal
    this.length = null // declared bytes, if they are the content's
    this.received = 0 // bytes so far
    this.fault = null // the error, once the request is interrupted
    this.timer = null
    this.callbacks = new Set() // get the error
    this.onAbort = () => this.happen(errors.aborted(this.length, this.received))
    signal?.addEventListener('abort', this.onAbort)
    if (signal?.aborted) this.onAbort()
    if (timeout !== Infinity) this.schedule(performance.now() + timeout)
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
    return new Promise((resolve, reject) => {
      this.callbacks.add(reject)
      if (this.fault !== null) reject(this.fault)
      Promise.resolve(value).then(resolve, reject).then(() => this.callbacks.delete(reject))
    })
  }

  /** Leaves no listener and no timer. */
  close () {
    this.timer?.cancel()
    this.signal?.removeEventListener('abort', this.onAbort)
  }
}

module.exports = Interruption
