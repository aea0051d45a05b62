'use strict'

// `multipart.disk(directory)`: a store; see ./stores.js.

const { randomBytes } = require('node:crypto')
const fs = require('node:fs')
const path = require('node:path')
const { fileURLToPath } = require('node:url')
const errors = require('../errors')
const Bytes = require('../body/bytes')

const BLOCK = 128 * 1024 // bytes that are written at once: each call of fs costs as much as writing 64 KB
const HIGH_WATER_MARK = 2 * BLOCK

const randomName = () => randomBytes(16).toString('hex')

class DiskStore {
  isDiskStore = true // for the check of options, which must not load modules of Node

  constructor (directory) {
    const isPath = typeof directory === 'string' && directory !== ''
    if (!isPath) throw new TypeError('multipart.disk must be given a directory')
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
    this.lastMove = Promise.resolve()
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
      else this.writeRest(Buffer.concat(pieces).subarray(written))
    })
  }

  /** From the current position of the file. */
  writeRest (bytes) {
    fs.writeFile(this.fd, bytes, (error) => this.proceed(error))
  }

  get isKept () {
    return this.isMoved || this.moves > 0
  }

  /** Moves the file, so that it stays; where it was kept before if it cannot be moved on. */
  keep (target) {
    this.moves++
    const moved = this.lastMove.then(() => this.moveTo(target instanceof URL ? fileURLToPath(target) : target))
    this.lastMove = moved.catch(() => {}) // the next one begins where this one leaves the file
    return moved
  }

  async moveTo (target) {
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
    // A copy that fails must not cost the file that is there.
    const copy = path.join(path.dirname(String(target)), randomName())
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

module.exports = DiskStore
