'use strict'

// A file that code of the app reads as a stream: a store, an engine, or a loop over the parts. Its bytes wait here
// until the stream asks for them. ./open-file.js has the contract.

const { Buffer, clearTimeout, setTimeout } = require('../../core/platform')
const errors = require('../../core/errors')
const { markHandled } = require('../../core/handled-promise')
const { wait } = require('../../core/lifetime/wait')
const ChunkList = require('../../core/source/chunk-list')
const Waiter = require('./waiter')

// Bytes. Several chunks of 64 KB: with less, the request would be paused and resumed for each chunk, as a loop takes a
// chunk only once the next one has come.
const HIGH_WATER_MARK = 256 * 1024
const MAX_PEEK = 64 * 1024 // bytes; more than the mark would never come
const IDLE = 1000 // ms without a read, after which what a store has left is discarded
const GRACE = 5000 // ms for code of the app to end after an error

class AppFile {
  /**
   * @param {(stored: AppFile) => object} openStream such as ./file-stream.js, which reads it for the app
   * @param {(stream: object) => Promise<unknown>} store of the app's
   */
  constructor (openStream, store) {
    this.store = store
    this.waiting = new ChunkList() // not yet given to the stream
    this.room = new Waiter() // until there is room for more bytes
    this.peeks = [] // that wait for bytes
    this.isEnded = false // all bytes have come
    this.isWanted = false // a read of the stream waits for bytes
    this.isBegun = false // the app has read, so that it cannot peek any more
    this.wasRead = false // since the last call of `lookLater`
    this.createFault = null // once the bytes are discarded: creates the error of a later read
    this.result = null // of the store, until the file is done
    this.timer = null // of `lookLater`
    this.stream = openStream(this)
    this.value = new Promise((resolve) => { this.resolveValue = resolve }) // of the store, which may never end
    this.outcome = markHandled(new Promise((resolve, reject) => {
      this.complete = resolve
      this.value.then((value) => this.onStored(value), reject)
    }))
  }

  begin () {
    this.resolveValue(this.store(this.stream))
  }

  get length () {
    return this.isOver ? 0 : this.waiting.length + this.stream.readableLength
  }

  /** Nothing more is given to the stream. */
  get isOver () {
    return this.stream.destroyed || this.createFault !== null
  }

  write (chunk, start, end) {
    if (this.isOver) return null
    const piece = chunk.subarray(start, end)
    this.waiting.write(end < chunk.length ? Buffer.from(piece) : piece) // the form needs what the app may transfer
    this.serve()
    return this.isOver || this.waiting.length < HIGH_WATER_MARK ? null : this.room.wait()
  }

  end () {
    this.isEnded = true
    this.serve()
    this.report()
    return this.outcome
  }

  /** Gives bytes to the calls of `peek`, and to the read, that wait for them. */
  serve () {
    const { peeks, waiting } = this
    while (peeks.length > 0 && (this.isEnded || waiting.length >= peeks[0].size)) {
      const { size, resolve } = peeks.shift()
      resolve(Buffer.from(waiting.join().subarray(0, size)))
    }
    const isReady = waiting.length > 0 || this.isEnded
    if (!this.isWanted || peeks.length > 0 || !isReady) return
    this.isWanted = false
    this.wasRead = true
    this.stream.push(waiting.length > 0 ? waiting.shift() : null)
    if (waiting.length < HIGH_WATER_MARK) this.room.wake()
  }

  peek (size) {
    return new Promise((resolve, reject) => {
      if (!Number.isInteger(size)) throw new TypeError('peek takes a whole number of bytes')
      if (size < 1 || size > MAX_PEEK) throw new RangeError(`peek takes 1 to ${MAX_PEEK} bytes`)
      if (this.isOver) throw this.createReason()
      if (this.isBegun) throw new Error('peek must be called before the file is read')
      this.peeks.push({ size, resolve, reject })
      this.serve()
    })
  }

  onRead () {
    if (this.createFault !== null) return this.stream.destroy(this.createFault())
    this.isBegun = this.isWanted = true
    this.serve()
  }

  onStored (value) {
    this.result = { value }
    if (this.isOver) this.report()
    else if (this.stream.isInUse || this.peeks.length > 0) this.lookLater()
    else this.failNextRead(createLateError)
  }

  /** What the store has left may still be read, as long as something reads. */
  lookLater () {
    this.wasRead = false
    this.timer = setTimeout?.(() => { // a sandbox has no timers (../../web)
      const isWaiting = this.isWanted || this.peeks.length > 0 // for the client
      if (isWaiting || this.wasRead || this.stream.isPiped) this.lookLater()
      else this.failNextRead(createLateError)
    }, IDLE)
  }

  /**
   * Releases the bytes, but does not destroy the stream: listeners that the app adds later would then hear nothing. The
   * next read destroys it, with the error.
   */
  failNextRead (createFault) {
    this.createFault = createFault
    if (this.isWanted) this.stream.endRead(createFault)
    this.releaseBytes()
  }

  releaseBytes () {
    clearTimeout?.(this.timer)
    this.isWanted = false
    this.waiting = new ChunkList()
    for (const { reject } of this.peeks.splice(0)) reject(this.createReason())
    this.room.wake()
    this.report()
  }

  createReason () {
    return this.createFault?.() ?? this.stream.errored ?? createLateError()
  }

  /** The file is done once all bytes have come, the store has ended, and so has the reading. */
  report () {
    const { isEnded, isOver, result } = this
    if (result !== null && isEnded && isOver) this.complete(this.outcomeOf(result))
  }

  /** @param {{ value: unknown }} result of the store */
  outcomeOf (result) {
    return { fields: result, remove: null }
  }

  /** Tells its reader why the form has failed. */
  fail (reason) {
    if (this.stream.isObserved) this.stream.destroy(reason)
    else this.failNextRead(() => reason)
  }

  release (reason) {
    if (reason !== undefined && !this.isOver) this.fail(reason)
    return inTime(this.value)
  }
}

function createLateError () {
  const rule = 'a file must be read before its store has ended, or before the next part is asked for'
  return errors.create(500, `multipart: ${rule}`, { type: 'multipart.file.discarded' })
}

/**
 * @param {Promise<unknown>} promise of the app's
 * @returns {Promise<null>} until it is settled, or has had its time
 */
const inTime = (promise) => new Promise((resolve) => {
  let timer
  const follow = (end) => { timer = setTimeout?.(end, GRACE) }
  const end = () => resolve(null)
  wait(promise, { follow, forget: () => clearTimeout?.(timer) }, end, end)
})

module.exports = AppFile
module.exports.inTime = inTime
