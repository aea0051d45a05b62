'use strict'

// Where files go. `openSink` makes a sink for each:
//
// - `write(bytes)` returns false if it wants no more until `form.ready()`.
// - `end()` leads to `form.stored(null, outcome)`, with fields for the file.
//   `form.stored(error)` may be called at any time.
// - `bytes`: those that it holds in memory.
// - `release(done, reason)`, if the sink is one of `form.sinks`, ends the
//   writing and removes what was stored.

const { randomBytes } = require('node:crypto')
const fs = require('node:fs')
const path = require('node:path')
const { Readable } = require('node:stream')
const { clearTimeout, nextTick, setTimeout } = require('../core/compat')
const errors = require('../core/errors')
const Pieces = require('./pieces')

const HIGH_WATER_MARK = 64 * 1024 // bytes
const GRACE = 5000 // ms that a store of the app's has to end after an error

class MemorySink extends Pieces {
  constructor (form) {
    super()
    this.form = form
  }

  get bytes () {
    return this.length
  }

  end () {
    this.form.stored(null, { bytes: this.join() })
  }
}

class DiskStore {
  isDiskStore = true // what options are checked by, as their table loads no module of Node

  constructor (directory) {
    if (typeof directory !== 'string' || directory === '') throw new TypeError('multipart.disk must be given a directory')
    this.directory = path.resolve(directory)
    fs.mkdirSync(this.directory, { recursive: true })
  }

  open (file, form) {
    return new DiskSink(path.join(this.directory, randomBytes(16).toString('hex')), file, form)
  }
}

class DiskSink {
  constructor (path, file, form) {
    this.path = path
    this.file = file
    this.isKept = false
    this.isReleased = false
    this.stream = fs.createWriteStream(path, { flags: 'wx', mode: 0o600, highWaterMark: HIGH_WATER_MARK })
    this.stream.on('drain', () => form.ready())
    this.stream.on('error', (error) => form.stored(unwritable(error)))
    this.stream.on('close', () => form.stored(null, { path, keep: (target) => this.keep(target) }))
    form.sinks.push(this)
  }

  get bytes () {
    return this.stream.writableLength
  }

  write (bytes) {
    return this.stream.write(bytes)
  }

  end () {
    this.stream.end()
  }

  /** Moves the file, so that it stays. */
  async keep (target) {
    this.isKept = true
    try {
      await move(this.path, target)
      this.path = this.file.path = target
    } catch (error) {
      this.isKept = false
      if (this.isReleased) await fs.promises.rm(this.path, { force: true })
      throw error
    }
  }

  release (done, reason) {
    this.isReleased = true
    const remove = () => this.isKept ? done() : fs.unlink(this.path, () => done())
    if (this.stream.closed) remove()
    else this.stream.once('close', remove).destroy()
  }
}

async function move (source, target) {
  try {
    await fs.promises.rename(source, target)
  } catch (error) {
    if (error.code !== 'EXDEV') throw error // the target is on another file system
    await fs.promises.copyFile(source, target)
    await fs.promises.unlink(source)
  }
}

/** 507 (RFC 4918, section 11.5) if there is no space, else 500. */
function unwritable (error) {
  const status = ['EDQUOT', 'ENOSPC'].includes(error.code) ? 507 : 500
  return errors.create(status, error, { expose: false, type: 'multipart.store.failed' })
}

class CustomSink {
  constructor (store, { field, name, type }, form) {
    this.form = form
    this.isEnded = false
    this.isStored = false
    this.outcome = null
    this.stream = new Readable({ highWaterMark: HIGH_WATER_MARK, read: () => form.ready() })
    this.stream.on('close', () => this.settle())
    this.stream.on('error', () => {}) // which crashes the process if the store does not listen
    form.sinks.push(this)
    this.promise = new Promise((resolve) => resolve(form.call(store, Object.assign(this.stream, { field, name, type }))))
    this.promise.then((value) => {
      this.outcome = { value }
      this.settle()
    }, (error) => form.stored(errors.thrown(error)))
  }

  get bytes () {
    return this.stream.readableLength
  }

  write (bytes) {
    return this.stream.destroyed || this.stream.push(bytes)
  }

  end () {
    this.isEnded = true
    if (!this.stream.destroyed) this.stream.push(null)
    this.settle()
  }

  /** The file is stored when it has come to its end, the store is done, and the stream is read or closed. */
  settle () {
    const { form, isEnded, isStored, outcome, stream } = this
    if (isStored) return // the form may be at another file
    if (stream.destroyed) form.ready()
    else if (outcome !== null && stream.listenerCount('data') === 0) stream.resume() // nobody reads the rest
    this.isStored = isEnded && outcome !== null && stream.closed
    if (this.isStored) form.stored(null, outcome)
  }

  release (done, reason) {
    this.stream.destroy(reason)
    let timer
    const grace = new Promise((resolve) => { timer = setTimeout(resolve, GRACE) })
    Promise.race([this.promise.catch(() => {}), grace]).then(() => {
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
