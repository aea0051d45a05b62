'use strict'

// A file that is being written to the disk; see ./open-file.js.

const fs = require('node:fs')
const errors = require('../../core/errors')
const { markHandled } = require('../../core/handled-promise')
const ChunkList = require('../../core/source/chunk-list')
const KeptFile = require('./kept-file')
const Waiter = require('./waiter')

const BLOCK = 128 * 1024 // bytes that are written at once: with fewer, the calls of fs take most of the time
const HIGH_WATER_MARK = BLOCK // while another is written; more of them would not be faster

class DiskFile {
  /**
   * @param {object} file what the app gets of it: its path changes when the app moves it
   * @param {() => string | Promise<string>} findPath
   * @param {object} options
   * @param {string} options.flags
   * @param {number} [options.mode]
   * @param {object} [options.place] fields of an error
   * @param {boolean} [options.isFlushed] whether the system is to write it to the disk before it counts as stored
   */
  constructor (file, findPath, options) {
    this.file = file
    this.findPath = findPath
    this.options = options
    this.path = null // until it is created
    this.fd = null
    this.waiting = new ChunkList() // gathered while others are written
    this.writing = 0 // bytes
    this.room = new Waiter() // until there is room for more bytes
    this.isNamed = false
    this.isBusy = true // with its name, or with one call of the file system
    this.isEnded = false
    this.onReleased = null
    const outcome = new Promise((resolve, reject) => Object.assign(this, { complete: resolve, fail: reject }))
    this.outcome = markHandled(outcome)
  }

  begin () {
    const path = this.findPath()
    if (typeof path === 'string') this.create(path)
    else path.then((path) => { if (this.onReleased === null) this.create(path) }).catch(this.fail)
  }

  create (path) {
    const { flags, mode } = this.options
    fs.open(path, flags, mode, (error, fd) => { // throws for a path with NUL
      if (error === null) Object.assign(this, { fd, path })
      this.proceed(error)
    })
    this.isNamed = true
  }

  get length () {
    return this.waiting.length + this.writing
  }

  write (chunk, start, end) {
    this.waiting.write(chunk, start, end)
    if (!this.isBusy && this.waiting.length >= BLOCK) this.flush()
    return this.waiting.length < HIGH_WATER_MARK ? null : this.room.wait()
  }

  end () {
    this.isEnded = true
    if (!this.isBusy) this.proceed(null)
    return this.outcome
  }

  /** Does what comes next, after a call of the file system. */
  proceed (error) {
    const { fd, isEnded, onReleased, path, waiting } = this
    this.isBusy = false
    this.writing = 0
    if (fd !== null && (onReleased !== null || (isEnded && waiting.length === 0 && error === null))) {
      this.close(fd)
    } else if (onReleased !== null) {
      onReleased(path === null ? null : new KeptFile(path, this.file).remove())
    } else if (error !== null) {
      this.fail(unwritable(error, this.options.place))
    } else if (fd === null) {
      this.complete(new KeptFile(path, this.file).outcome)
    } else {
      if (isEnded || waiting.length >= BLOCK) this.flush()
      this.room.wake()
    }
  }

  close (fd) {
    const isFlushed = this.options.isFlushed && this.onReleased === null
    this.isBusy = true
    this.fd = null
    if (!isFlushed) return fs.close(fd, (error) => this.proceed(error))
    fs.fsync(fd, (error) => fs.close(fd, (closeError) => this.proceed(error ?? closeError)))
  }

  flush () {
    const { fd, waiting, waiting: { length } } = this
    const pieces = waiting.pieces()
    this.isBusy = true
    this.writing = length
    this.waiting = new ChunkList()
    fs.writev(fd, pieces, (error, written) => {
      if (error !== null || written === length) this.proceed(error)
      else fs.writeFile(fd, Buffer.concat(pieces).subarray(written), (error) => this.proceed(error))
    })
  }

  release () {
    return new Promise((resolve) => {
      this.onReleased = resolve
      if (!this.isBusy || !this.isNamed) this.proceed(null)
    })
  }
}

/** 507 (RFC 4918, section 11.5) if there is no space, else 500. */
function unwritable (error, place) {
  const status = ['EDQUOT', 'ENOSPC'].includes(error.code) ? 507 : 500
  const own = { ...error, message: error.message } // http-errors takes an error of another realm for fields
  return errors.create(status, error, { ...own, ...place, expose: false, type: 'multipart.store.failed' })
}

module.exports = DiskFile
