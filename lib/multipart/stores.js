'use strict'

// Where files go. `openSink` makes a sink for each:
//
// - `write(chunk, start, end)` returns false if it wants no more until `form.ready()`.
// - `end()` leads to `form.stored(null, outcome)`, with fields for the file.
//   `form.stored(error)` may be called at any time.
// - `length`: bytes that it holds in memory.
// - `release(done, reason)`, if the sink is one of `form.sinks`, ends the
//   writing and removes what was stored.

const { randomBytes } = require('node:crypto')
const fs = require('node:fs')
const path = require('node:path')
const { Readable } = require('node:stream')
const { clearTimeout, nextTick, setTimeout } = require('../core/compat')
const errors = require('../core/errors')
const Bytes = require('../core/bytes')

const BLOCK = 128 * 1024 // bytes that are written at once: each call of fs costs as much as writing 64 KB
const HIGH_WATER_MARK = 2 * BLOCK
const GRACE = 5000 // ms for a store of the app to end after an error

const randomName = () => randomBytes(16).toString('hex')

class MemorySink extends Bytes {
  constructor (form) {
    super()
    this.form = form
  }

  end () {
    this.form.stored(null, { bytes: Buffer.concat(this.pieces(), this.length) }) // without the memory around them
  }
}

class DiskStore {
  isDiskStore = true // for the check of options, which must not load modules of Node

  constructor (directory) {
    if (typeof directory !== 'string' || directory === '') throw new TypeError('multipart.disk must be given a directory')
    this.directory = path.resolve(directory)
    fs.mkdirSync(this.directory, { recursive: true })
  }

  open (file, form) {
    return new DiskSink(path.join(this.directory, randomName()), file, form)
  }
}

class DiskSink {
  constructor (path, file, form) {
    this.path = path
    this.file = file
    this.form = form
    this.fd = null
    this.waiting = new Bytes() // gathered while others are written
    this.writing = 0 // bytes
    this.isBusy = true // with one call of the file system
    this.isEnded = false
    this.moves = 0 // that are going on
    this.isMoved = false
    this.onReleased = null
    form.sinks.push(this)
    fs.open(path, 'wx', 0o600, (error, fd) => {
      if (error === null) this.fd = fd
      this.proceed(error)
    })
  }

  get length () {
    return this.waiting.length + this.writing
  }

  write (chunk, start, end) {
    this.waiting.write(chunk, start, end)
    if (!this.isBusy && this.waiting.length >= BLOCK) this.proceed(null)
    return this.waiting.length < HIGH_WATER_MARK
  }

  end () {
    this.isEnded = true
    if (!this.isBusy) this.proceed(null)
  }

  /** Does what comes next, after a call of the file system. */
  proceed (error) {
    const { fd, form, isEnded, onReleased, path, waiting } = this
    this.isBusy = false
    this.writing = 0
    if (fd !== null && (onReleased !== null || (isEnded && waiting.length === 0 && error === null))) {
      this.isBusy = true
      this.fd = null
      fs.close(fd, (error) => this.proceed(error))
    } else if (onReleased !== null) {
      if (this.isKept) onReleased()
      else fs.unlink(path, () => onReleased())
    } else if (error !== null) {
      form.stored(unwritable(error, form.place)) // which releases this
    } else if (fd === null) {
      form.stored(null, { path, keep: (target) => this.keep(target) })
    } else {
      if (isEnded || waiting.length >= BLOCK) this.flush()
      form.ready()
    }
  }

  flush () {
    const { fd, waiting, waiting: { length } } = this
    const pieces = waiting.pieces()
    this.isBusy = true
    this.writing = length
    this.waiting = new Bytes()
    fs.writev(fd, pieces, (error, written) => {
      if (error !== null || written === length) this.proceed(error)
      else fs.writeFile(fd, Buffer.concat(pieces).subarray(written), (error) => this.proceed(error)) // from its current position
    })
  }

  get isKept () {
    return this.isMoved || this.moves > 0
  }

  /** Moves the file, so that it stays; where it was kept before if it cannot be moved on. */
  async keep (target) {
    this.moves++
    try {
      await move(this.path, target)
      this.path = this.file.path = target
      this.isMoved = true
    } finally {
      this.moves--
      if (!this.isKept && this.onReleased !== null) await fs.promises.rm(this.path, { force: true })
    }
  }

  release (done) {
    this.onReleased = done
    if (!this.isBusy) this.proceed(null)
  }
}

async function move (source, target) {
  try {
    await fs.promises.rename(source, target)
  } catch (error) {
    if (error.code !== 'EXDEV') throw error // the target is on another file system
    const copy = `${target}.${randomName()}` // a copy that fails must not cost the file that is there
    try {
      await fs.promises.copyFile(source, copy)
      await fs.promises.rename(copy, target)
    } finally {
      await fs.promises.rm(copy, { force: true })
    }
    await fs.promises.unlink(source)
  }
}

/** 507 (RFC 4918, section 11.5) if there is no space, else 500. */
function unwritable (error, place) {
  const status = ['EDQUOT', 'ENOSPC'].includes(error.code) ? 507 : 500
  return errors.create(status, error, { ...place, expose: false, type: 'multipart.store.failed' })
}

class CustomSink {
  constructor (store, { field, name, type }, form) {
    const { exchange, fields } = form
    const stream = new Readable({ highWaterMark: BLOCK / 2, read: () => form.ready() })
    stream.on('error', () => {}) // without a listener, an error would crash the process
    const closed = new Promise((resolve) => stream.on('close', resolve))
    const ended = new Promise((resolve) => { this.onEnd = resolve })
    closed.then(() => form.ready()) // the rest is discarded
    form.sinks.push(this)
    this.stream = Object.assign(stream, { field, name, type })
    this.value = new Promise((resolve) => resolve(exchange.runInAsyncScope(store, undefined, stream, { fields, signal: exchange.signal })))
    this.value.then(async (value) => {
      if (stream.listenerCount('data') === 0) stream.resume() // the rest is not read
      await Promise.all([closed, ended])
      nextTick(() => form.stored(null, { value })) // so that an error that `next` throws is not a rejection
    }, (error) => nextTick(() => form.stored(errors.thrown(error))))
  }

  get length () {
    return this.stream.destroyed ? 0 : this.stream.readableLength
  }

  write (chunk, start, end) {
    return this.stream.destroyed || this.stream.push(chunk.subarray(start, end))
  }

  end () {
    this.stream.push(null)
    this.onEnd()
  }

  release (done, reason) {
    this.stream.destroy(reason)
    let timer
    const grace = new Promise((resolve) => { timer = setTimeout(resolve, GRACE) })
    Promise.race([this.value.catch(() => {}), grace]).then(() => {
      clearTimeout(timer)
      nextTick(done)
    })
  }
}

/** @param {'memory' | DiskStore | Function} store the option */
function openSink (store, file, form) {
  if (store === 'memory') return new MemorySink(form)
  return store instanceof DiskStore ? store.open(file, form) : new CustomSink(store, file, form)
}

module.exports = { DiskStore, openSink }
