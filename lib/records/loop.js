'use strict'

const { isThenable } = require('../core/checks')
const { markHandled, ITERATOR } = require('../core/handled-promise')
const { waitAsync } = require('../core/lifetime/wait')
const { setImmediate } = require('../core/platform')
const { CollectedResults, NO_RESULT, Results } = require('./results')

const TURN = 1000 // small records; then other requests are served
const countNone = () => 0 // bytes, before the request is read

/**
 * Gives results as they are asked for. Not a generator, which is slower for small
 * records.
 */
class Loop {
  /** See ./records.js. */
  constructor (createChunks, finder, parser) {
    const { onError, reviver } = parser.settings
    this.finder = finder
    this.results = onError === 'collect' ? new CollectedResults(finder, parser) : new Results(finder, parser)
    this.received = countNone
    this.chunks = createChunks({
      interrupt: (error) => {
        this.fault = { error }
        this.interrupt?.(error)
      },
      setCounter: (received) => { this.received = received }
    })
    this.mayWait = parser.validate !== undefined || reviver !== undefined // for a promise of the app's
    this.size = undefined // of the lists; null for single results
    this.fault = null // { error } once the request has failed
    this.interrupt = null // ends the wait for a promise of the app's
    this.outcome = null // once there are no more results: empty, or with the error that is thrown behind them
    this.pending = null // a promise of the call that others wait for
  }

  open (size) {
    if (this.size !== undefined) throw new TypeError('the records are read by another loop')
    this.size = size
    return {
      __proto__: ITERATOR,
      next: () => this.next(),
      return: (value) => this.enqueue(() => this.end([], value)),
      throw: (error) => this.enqueue(() => this.end([error]))
    }
  }

  /** Gives a result at once if it is there, and no call waits. */
  next () {
    const isFree = this.size === null && this.pending === null && this.outcome === null
    if (!isFree) return this.enqueue(() => this.advance(this.take()))
    const result = this.take()
    if (result === NO_RESULT || this.isPromise(result)) return this.enqueue(() => this.advance(result))
    return Promise.resolve({ value: result, done: false })
  }

  /** Calls wait for those before them, as those of a generator do. */
  enqueue (callback) {
    const called = this.pending === null ? callback() : this.pending.then(callback, callback)
    const result = markHandled(called.finally(() => { if (this.pending === result) this.pending = null }))
    this.pending = result
    return result
  }

  /** The answer of a call: a list of results, or a single one; `first` may be there already. */
  async advance (first) {
    const size = this.size ?? 1
    const list = []
    let result = first
    while (this.outcome === null) {
      try {
        if (result === NO_RESULT) await this.proceed()
        else list.push(this.isPromise(result) ? await this.waitForApp(result) : result)
        if (list.length > 0 && list.length < size) this.results.fill(list, size)
        if (list.length === size) break
        result = this.take()
      } catch (error) {
        this.stop(error)
      }
    }
    if (list.length === 0) return this.end(this.outcome)
    return { value: this.size === null ? list[0] : list, done: false }
  }

  /** @param {[] | [unknown]} outcome has what is thrown, once the rest of the request is drained */
  async end (outcome, value) {
    this.outcome = []
    if (outcome.length === 0) {
      await this.chunks.return()
      return { value: await value, done: true }
    }
    await this.chunks.throw(outcome[0]).catch(() => {})
    throw outcome[0]
  }

  stop (error) {
    this.outcome = [error]
    return NO_RESULT
  }

  /** @returns the next result, or a promise of it; NO_RESULT if there is none yet, or no more */
  take () {
    if (this.outcome !== null || this.results.work >= TURN) return NO_RESULT
    try {
      return this.results.next()
    } catch (error) {
      return this.stop(error)
    }
  }

  isPromise (result) {
    return this.mayWait && isThenable(result)
  }

  /** Waits for a promise of the app's, but not after the request has failed. */
  waitForApp (promise) {
    return waitAsync(promise, this)
  }

  follow (end) {
    this.interrupt = end
    if (this.fault !== null) setImmediate(end, this.fault.error)
  }

  /** Serves others, or gets the next chunk. */
  async proceed () {
    const { chunks, finder, results } = this
    if (results.work >= TURN) {
      results.work = 0
      await new Promise((resolve) => { setImmediate(resolve) })
      return
    }
    const { done, value } = await chunks.next(finder.bufferedBytes)
    if (done) this.outcome = []
    else if (value === null) finder.end()
    else finder.write(value)
  }
}

module.exports = Loop
