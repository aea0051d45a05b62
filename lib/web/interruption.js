'use strict'

const { MAX_DELAY, performance } = require('../core/platform')
const errors = require('../core/errors')
const Timer = require('../core/guards/timer')
const { enter, leave } = require('./late')
const { servesRequests } = require('./node')
const { isServed } = require('./whole')

/** What ends the reading and the parsing of one Request early: its client leaves, or the time is over. */
class Interruption {
  constructor (request, timeout) {
    this.request = request
    this.signal = null // once this listens to it
    this.length = null // declared bytes, if they are the content's
    this.source = null // the body, once it is opened
    this.fault = null // the error, once the request is interrupted
    this.timer = null
    this.place = null // among those that wait
    this.onFault = null // of what `waitLate` waits for
    this.callbacks = null // get the error
    this.onAbort = null
    if (timeout !== Infinity) this.schedule(performance.now() + timeout)
  }

  /** Bytes so far. */
  get received () {
    return this.source?.received ?? 0
  }

  /** Not before something waits: to make the signal takes Deno as long as all else of a small request. */
  listen () {
    if (this.signal !== null || this.fault !== null) return
    const onAbort = () => this.abort()
    try {
      const signal = this.request.signal ?? null
      signal?.addEventListener('abort', onAbort)
      this.signal = signal
      this.onAbort = onAbort
    } catch (error) { // of a class of the app's; thrown out of the timer, it would end the process
      return this.happen(errors.thrown(error))
    }
    if (this.signal?.aborted) onAbort()
  }

  /** Of a server's Request, most bodies come before this has to listen. */
  listenLate () {
    if (isServed(this.request)) this.place ??= enter(this)
    else this.listen()
  }

  /** At the end of the body: on Node 20, that of a client which has left ends like a whole one. */
  end () {
    const isSure = servesRequests || this.signal !== null || this.length === this.received
    if (!isSure && this.request.signal?.aborted) this.abort()
  }

  /** The client has left. */
  abort () {
    this.happen(errors.aborted(this.length, this.received))
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
    this.onFault?.(this.fault)
    for (const callback of this.callbacks ?? []) callback(this.fault)
  }

  /** The set is made here, as most requests need none. @param {(error: Error) => void} callback gets the fault */
  call (callback) {
    this.callbacks ??= new Set()
    this.callbacks.add(callback)
  }

  /**
   * @returns the value, or a promise of it that the fault rejects: a stream, or the app, may never settle its own. The
   *   promise around the app's settles once, and has the `then` of promises, which need not be true of the app's
   */
  wait (value) {
    if (typeof value?.then !== 'function') return value
    this.listen()
    return new Promise((resolve, reject) => {
      this.call(reject)
      if (this.fault !== null) reject(this.fault)
      const forget = () => this.callbacks.delete(reject)
      new Promise((resolve) => resolve(value)).then(resolve, reject).then(forget)
    })
  }

  /**
   * For the body of a server's Request.
   *
   * @template T
   * @param {Promise<T>} promise
   * @param {(value: T) => void} onValue
   * @param {(error: unknown) => void} onError gets the fault, too; may be called again then
   * @param {(error: unknown) => unknown} faultOf what a rejection means
   */
  waitLate (promise, onValue, onError, faultOf) {
    this.place = enter(this)
    this.onFault = onError
    promise.then((value) => {
      if (this.fault !== null) return
      try {
        onValue(value)
      } catch (error) {
        onError(error)
      }
    }, (error) => onError(faultOf(error)))
  }

  /** Leaves no listener and no timer. */
  close () {
    if (this.place !== null) leave(this.place)
    this.place = null
    this.timer?.cancel()
    this.signal?.removeEventListener('abort', this.onAbort)
  }
}

module.exports = Interruption
