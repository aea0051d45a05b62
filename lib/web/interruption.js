'use strict'

const errors = require('../core/errors')
const { createGuards, guarded } = require('../core/lifetime/guards')
const { setImmediate } = require('../core/platform')
const listenLater = require('./late')
const { messageOf, servesRequests } = require('./node')
const { isServed } = require('./whole')

/**
 * What ends the reading and the parsing of one Request early: its client leaves, or a guard ends it. A reading of
 * ../core/lifetime/guards.js.
 */
class Interruption extends guarded(Object) {
  /** @param {object} settings of the reader; only those of guards count */
  constructor (request, settings) {
    super()
    this.request = request
    this.signal = null // once this listens to it
    this.length = null // declared bytes, if they are the content's
    this.source = null // the body, once it is opened
    this.whole = 0 // bytes that came in one piece
    this.used = null // bytes that were received, without the rest that is read off, once that is known
    this.lane = 'identity' // or 'one-shot', 'stream': how the content coding is undone
    this.decoded = null // bytes, when it is undone; null until the body is complete
    this.isAwaited = true // whether there is a body to be read, as far as is known
    this.fault = null // the error, once the request is interrupted
    this.forgetLate = null // function, once this is to listen if the body takes long
    this.callbacks = [] // get the error
    this.onAbort = null
    this.isPaused = false // until the budget has room
    this.onFree = null // what waits for that
    this.startGuards(createGuards(settings, this))
  }

  /** Bytes so far. */
  get received () {
    return this.source?.received ?? this.whole
  }

  get awaitsBody () {
    return this.isAwaited && this.source?.isOver !== true
  }

  get isWhole () {
    return this.received === this.length || messageOf(this.request)?.complete === true
  }

  /** Whether a body may be read in one piece. Guards could not see how much of it has come until all of it has. */
  mayTakeWhole (bytes) {
    return this.deadline === null && (this.reservation === null || this.reservation.reserveWhole(bytes))
  }

  /** The client may leave meanwhile. */
  beginWait () {
    super.beginWait()
    this.listen()
  }

  pause () {
    this.isPaused = true
  }

  resume () {
    this.free(null)
  }

  /** @param {(error: Error | null) => void} callback gets why there is no room, if there is none in time */
  onceFree (callback) {
    if (this.isPaused) this.onFree = callback
    else callback(null)
  }

  free (error) {
    const { onFree } = this
    this.isPaused = false
    this.onFree = null
    onFree?.(error)
  }

  /** Called once something waits, not before: Deno makes the signal when it is asked for, which is slow. */
  listen () {
    if (this.signal !== null || this.fault !== null) return
    const onAbort = () => this.failStep()
    try {
      const signal = this.request.signal ?? null
      signal?.addEventListener('abort', onAbort)
      this.signal = signal
      this.onAbort = onAbort
    } catch (error) { // of a class of the app's; thrown out of the timer, it would end the process
      return this.fail(errors.thrown(error))
    }
    if (this.signal?.aborted) onAbort()
  }

  /** Of a server's Request, most bodies come before this has to listen. */
  listenLate () {
    if (isServed(this.request)) this.forgetLate ??= listenLater(this)
    else this.listen()
  }

  /** At the end of the body: on Node 20, that of a client which has left ends like a whole one. */
  end () {
    const isSure = servesRequests || this.signal !== null || this.length === this.received
    if (!isSure && this.request.signal?.aborted) this.failStep()
  }

  /**
   * @param {Error} [error] by default, that of a client which has left
   * @param {boolean} [mustClose] false if the rest of the body may be read off
   */
  failStep (error = errors.aborted(this.length, this.received), mustClose = true) {
    if (mustClose || this.onFree === null) this.fail(error)
    else this.free(error)
    return true
  }

  fail (error) {
    this.fault ??= error
    this.release()
    this.source?.stop(this.fault)
    this.tell(this.fault)
    this.free(this.fault)
  }

  /** @param {Error} error why what waits is to wait no longer, though the rest of the body may still be read off */
  tell (error) {
    for (const callback of this.callbacks) callback(error)
  }

  /** @param {(error: Error) => void} callback is told each error */
  onFail (callback) {
    this.callbacks.push(callback)
  }

  /** @param {(fault: Error) => void} end of something that waits */
  follow (end) {
    this.listen()
    this.onFail(end)
    if (this.fault !== null) setImmediate(end, this.fault)
  }

  forget (end) {
    this.callbacks = this.callbacks.filter((callback) => callback !== end)
  }

  releaseContent () {
    this.used ??= this.received
    super.releaseContent()
  }

  /** Leaves no listener and no timer. */
  release () {
    this.forgetLate?.()
    this.releaseGuards()
    this.signal?.removeEventListener('abort', this.onAbort)
  }
}

module.exports = Interruption
