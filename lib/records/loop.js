'use strict'

const { isThenable } = require('../core/checks')
const { markHandled, ITERATOR } = require('../core/handled-promise')
const { waitAsync } = require('../core/lifetime/wait')
const { setImmediate } = require('../core/platform')
const { CollectedItems, Items, NO_ITEM } = require('./items')

const TURN = 1000 // small records; then other requests are served
const countNone = () => 0 // bytes

/**
 * Gives items as they are asked for. Not a generator: that would take a sixth of
 * the time of small records.
 */
class Loop {
  /** See ./records.js. */
  constructor (createChunks, source, parser) {
    const { onError, reviver } = parser.settings
    this.source = source
    this.items = onError === 'collect' ? new CollectedItems(source, parser) : new Items(source, parser)
    this.received = countNone
    this.chunks = createChunks({
      interrupt: (error) => {
        this.fault = { error }
        this.interrupt?.(error)
      },
      setCounter: (received) => { this.received = received }
    })
    this.mayWait = parser.validate !== undefined || reviver !== undefined // for a promise of the app's
    this.size = undefined // of the lists; null for single items
    this.fault = null // { error } once the request has failed
    this.interrupt = null // ends the wait for a promise of the app's
    this.outcome = null // once there are no more items: empty, or with the error that is thrown behind them
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

  /** An item that is there is given at once. */
  next () {
    const isFree = this.size === null && this.pending === null && this.outcome === null
    if (!isFree) return this.enqueue(() => this.advance(this.take()))
    const item = this.take()
    if (item === NO_ITEM || this.isPromise(item)) return this.enqueue(() => this.advance(item))
    return Promise.resolve({ value: item, done: false })
  }

  /** Calls wait for those before them, as those of a generator do. */
  enqueue (callback) {
    const called = this.pending === null ? callback() : this.pending.then(callback, callback)
    const result = markHandled(called.finally(() => { if (this.pending === result) this.pending = null }))
    this.pending = result
    return result
  }

  /** @param first item, if it is there */
  async advance (first) {
    const size = this.size ?? 1
    const list = []
    let item = first
    while (this.outcome === null) {
      try {
        if (item === NO_ITEM) await this.proceed()
        else list.push(this.isPromise(item) ? await this.waitForApp(item) : item)
        if (list.length > 0 && list.length < size) this.items.fill(list, size)
        if (list.length === size) break
        item = this.take()
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
    return NO_ITEM
  }

  /** @returns the next item, or a promise of it; NO_ITEM if there is none yet, or no more */
  take () {
    if (this.outcome !== null || this.items.work >= TURN) return NO_ITEM
    try {
      return this.items.next()
    } catch (error) {
      return this.stop(error)
    }
  }

  isPromise (item) {
    return this.mayWait && isThenable(item)
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
    const { chunks, items, source } = this
    if (items.work >= TURN) {
      items.work = 0
      await new Promise((resolve) => { setImmediate(resolve) })
      return
    }
    const { done, value } = await chunks.next(source.bufferedBytes)
    if (done) this.outcome = []
    else if (value === null) source.end()
    else source.write(value)
  }
}

module.exports = Loop
