'use strict'

// Reads a form part by part. Waits where a file has no room for more bytes, and where code of the app decides.

const { isThenable } = require('../../core/checks')
const errors = require('../../core/errors')
const { wait } = require('../../core/lifetime/wait')
const { nextTick } = require('../../core/platform')
const { CONTENT, HEADER, PART_END, Scanner } = require('../parts/scanner')

const BODY_END = null // in the place of a chunk
const BESIDE_NAME = 824 // bytes of a header on average: 1 KB, with an ordinary name

// The states. docs/architecture-uploads.md says which follows which.
const READING = 'reading' // takes the next chunk
const SCANNING = 'scanning' // is called from within: the app's store may read on meanwhile
const DECIDING = 'deciding' // code of the app decides about a file
const FULL = 'full' // the file has no room for more
const STORING = 'storing' // the part has ended, and its file is not stored yet
const FINISHING = 'finishing' // the body has ended, and files are not stored yet
const DONE = 'done'
const FAILED = 'failed'

/**
 * What a form does with its parts.
 *
 * @typedef {object} Form
 * @property {number} limit most bytes of the body, enforced while its parts are read
 * @property {number} bufferedBytes in memory, of the parts before
 * @property {import('../storage/file-set')} fileSet
 * @property {(chunk: Uint8Array, start: number, end: number) => Part | Decision} begin a part, from its header
 * @property {() => Promise<unknown> | null} end after the last part; what is to be waited for
 * @property {(type: string, detail?: string) => never} fail throws what is wrong with the structure of the form
 * @property {(received: number) => never} refuseForm throws the error of a form that is too large
 * @property {(error: unknown) => void} failed before the files of a form that has failed are removed
 * @property {(removals: import('../storage/file-set').Removal[], error: unknown) => void} removed after that
 *
 * @typedef {object} Part
 * @property {number} length bytes that it holds in memory
 * @property {(chunk: Uint8Array, start: number, end: number) => Promise<void> | null} write a promise if it has no room
 *   for more until then
 * @property {() => Promise<unknown> | null} end a promise if it is not stored before
 * @property {() => void} copyChunk the chunk is used up: copies what it keeps of it
 * @property {Promise<unknown> | null} outcome may be rejected at any time
 * @property {(() => Part | Decision) | null} open what takes the content in the place of this part: the file of a form
 *   control that has bytes after all, or a file whose type is known
 * @property {(chunk: Uint8Array, start: number, end: number) => [Uint8Array, number, number] | null} [take] what that
 *   part gets first; null if this one has to have more before it is opened
 * @property {boolean} [opensAtEnd] whether it is opened at its end
 */

/** In the place of a part: code of the app decides about a file. */
class Decision {
  /**
   * @param {unknown} answer of the app's code, or a promise of it
   * @param {(answer: unknown) => Part | Decision} begin is not called if the form has failed meanwhile, as nobody
   *   would remove what it would store
   */
  constructor (answer, begin) {
    this.answer = answer
    this.begin = begin
  }
}

/** A sink of ../../core/body/feed.js, or of anything else that gives it bytes. */
class FormReader {
  /**
   * @param {Form} form
   * @param {string} boundary
   * @param {{ header: number, name: number }} parts most bytes of a header, and of a name
   * @param {import('../../core/body/feed').Control} feed is told when the form takes bytes again, and once
   *   that it is complete or has failed
   */
  constructor (form, boundary, { header, name }, feed) {
    this.scanner = new Scanner(boundary, header, (type, detail) => form.fail(type, detail), BESIDE_NAME + name)
    this.form = form
    this.feed = feed
    this.state = READING
    this.chunks = [] // that are not scanned yet
    this.queuedBytes = 0 // of them
    this.received = 0 // bytes
    this.part = null
  }

  /** Whether the feed must pause. While no bytes wait, it goes on, as the end of the body may be next. */
  get isBlocked () {
    const { state } = this
    return state === FULL || ((state === DECIDING || state === STORING) && this.waitingBytes > 0)
  }

  get waitingBytes () {
    return this.scanner.waitingBytes + this.queuedBytes
  }

  /** Bytes in memory. */
  get bufferedBytes () {
    return this.form.bufferedBytes + this.waitingBytes + (this.part?.length ?? 0)
  }

  write (chunk) {
    this.chunks.push(chunk)
    this.queuedBytes += chunk.length
    if (this.state === READING) this.scan()
  }

  end () {
    this.chunks.push(BODY_END)
    if (this.state === READING) this.scan()
  }

  /** @param {() => void} [begin] what a promise was awaited for */
  scan (begin) {
    this.state = SCANNING
    try {
      begin?.()
      while (this.state === SCANNING && this.step());
      if (this.state === SCANNING) this.state = READING
    } catch (error) {
      this.fail(error)
    }
    if (this.state === DONE) this.feed.end() // what `next` throws is not an error of the form
  }

  /** @returns {boolean} whether there may be more to do */
  step () {
    const { form, scanner } = this
    const event = scanner.next()
    if (event === CONTENT) this.takeContent(scanner.found, scanner.start, scanner.end)
    else if (event === HEADER) this.setPart(form.begin(scanner.found, scanner.start, scanner.end))
    else if (event === PART_END) this.endPart()
    else return this.takeChunk()
    return true
  }

  takeChunk () {
    const { chunks, scanner } = this
    this.checkReceived()
    if (chunks.length === 0) {
      this.part?.copyChunk()
      return false
    }
    const chunk = chunks.shift()
    if (chunk === BODY_END) return this.endBody()
    this.queuedBytes -= chunk.length
    this.received += chunk.length
    scanner.write(chunk)
    return true
  }

  /** Called once all of a chunk is scanned, so that the limit of a part names the error if one chunk exceeds both. */
  checkReceived () {
    const { form, received, scanner } = this
    if (received - scanner.waitingBytes > form.limit) form.refuseForm(received)
  }

  /**
   * @param {Part | Decision} part
   * @param {() => void} [goOn]
   */
  setPart (part, goOn = ignore) {
    if (part instanceof Decision) return this.decide(part, goOn)
    if (this.hasEnded) return
    this.part = part
    part.outcome?.then(undefined, (error) => nextTick(() => this.fail(errors.thrown(error))))
    goOn()
  }

  decide ({ answer, begin }, goOn) {
    const proceed = (value) => this.setPart(begin(value), goOn)
    if (isThenable(answer)) this.wait(DECIDING, answer, proceed)
    else if (!this.hasEnded) proceed(answer) // the app's code may have failed the form
  }

  takeContent (chunk, start, end) {
    const { part } = this
    if (part.open !== null) return this.openPart(part.take(chunk, start, end))
    const room = part.write(chunk, start, end)
    if (room !== null) this.wait(FULL, room)
  }

  openPart (content) {
    if (content !== null) this.setPart(this.part.open(), () => this.takeContent(...content))
  }

  endPart () {
    const { part } = this
    if (part.opensAtEnd) return this.setPart(part.open(), () => this.endShort(part))
    const stored = part.end()
    if (stored === null) this.part = null
    else this.wait(STORING, stored, () => { this.part = null })
  }

  /** A file that has ended within its head, for which every store has room. */
  endShort ({ head, length }) {
    if (length > 0) this.part.write(head, 0, length)
    this.endPart()
  }

  endBody () {
    const { chunks, form, scanner } = this
    if (scanner.endBody() === PART_END) { // and its file may have to be waited for
      chunks.unshift(BODY_END)
      this.endPart()
      return true
    }
    this.checkReceived()
    const finished = form.end()
    const end = () => { this.state = DONE }
    if (finished === null) end()
    else this.wait(FINISHING, finished, end)
    return false
  }

  /**
   * Called even if the form has ended: code of the app may do that within its call, and then return a promise, whose
   * rejection somebody has to handle.
   *
   * @param {(value: unknown) => void} [goOn] with what the promise gives
   */
  wait (state, promise, goOn = ignore) {
    if (!this.hasEnded) this.state = state
    wait(promise, BY_FORM, (value) => this.resume(() => goOn(value)), (error) => this.fail(errors.thrown(error)))
  }

  resume (goOn) {
    if (this.hasEnded) return
    this.scan(goOn)
    if (!this.hasEnded && !this.isBlocked) this.feed.resume()
  }

  get hasEnded () {
    return this.state === DONE || this.state === FAILED
  }

  /** At any time. */
  fail (error) {
    if (this.hasEnded) return
    this.state = FAILED
    this.feed.fail(error)
  }

  /** Stops everything after an error, and calls back once all files are removed. */
  stop (error, done) {
    const { form } = this
    this.state = FAILED
    form.failed(error)
    const removals = []
    const released = form.fileSet.release(error, removals)
    const report = () => {
      form.removed(removals, error)
      done()
    }
    if (released === null) report()
    else released.then(() => nextTick(report))
  }

  /** Removes the files that were not kept. */
  release () {
    this.form.fileSet.release()
  }
}

/** What interrupts the request fails the form, which then takes no outcome any more. */
const BY_FORM = { follow () {} }

function ignore () {}

module.exports = FormReader
module.exports.Decision = Decision
