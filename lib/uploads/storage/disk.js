'use strict'

// `multipart.disk(directory, options)`: a store; see ./stores.js.

const { randomBytes } = require('node:crypto')
const fs = require('node:fs')
const path = require('node:path')
const { fileURLToPath } = require('node:url')
const { isFunction, kind } = require('../../core/checks')
const errors = require('../../core/errors')
const { handOut } = require('../../core/hand-out')
const { nextTick } = require('../../core/platform')
const ChunkList = require('../../core/body/chunk-list')

const BLOCK = 128 * 1024 // bytes that are written at once: each call of fs costs as much as writing 64 KB
const HIGH_WATER_MARK = BLOCK // while another is written; more of them would not be faster
const ALL = 0o777
const OWNER = 0o600 // may read and write
const UNSAFE = /^\.{0,2}$|[/\\\0]/ // for every system

const randomName = () => randomBytes(16).toString('hex')

const readObject = kind((value) => typeof value === 'object' && !Array.isArray(value), 'an object')
const readFilename = kind(isFunction, 'a function')
const readMode = kind(
  (value) => Number.isInteger(value) && value >= 0 && value <= ALL,
  'a number from 0 to 0o777'
)

class DiskStore {
  isDiskStore = true // for the check of options, which must not load modules of Node
  flags = 'wx' // never in the place of a file that is there: that one is another upload's

  constructor (directory, options) {
    const isPath = typeof directory === 'string' && directory !== ''
    if (!isPath) throw new TypeError('multipart.disk must be given a directory')
    const { filename, mode, ...others } = readObject(options, 'multipart.disk', {})
    const [unknown] = Object.keys(others)
    if (unknown !== undefined) throw new TypeError(`option multipart.disk takes filename, mode; not ${unknown}`)
    this.filename = readFilename(filename, 'filename of multipart.disk', null)
    this.mode = readMode(mode, 'mode of multipart.disk', OWNER)
    this.directory = path.resolve(directory)
    fs.mkdirSync(this.directory, { recursive: true })
  }

  open (file, form) {
    return new DiskSink(this, file, form)
  }
}

class DiskSink {
  constructor (store, file, form) {
    this.store = store
    this.path = null // until it is created
    this.file = file
    this.form = form
    this.fd = null
    this.waiting = new ChunkList() // gathered while others are written
    this.writing = 0 // bytes
    this.isBusy = true // with one call of the file system, or of `filename`
    this.isNamed = false
    this.isEnded = false
    this.isKept = false
    this.isRemoved = false
    this.lastMove = Promise.resolve() // or the removal
    this.onReleased = null
    form.sinks.add(this)
    this.chooseName()
  }

  chooseName () {
    const { form, store: { filename } } = this
    if (filename === null) return this.create(randomName())
    // On the next tick, so that an error that `next` throws is not a rejection.
    form.callApp(filename).then(checkName).then(
      (name) => nextTick(() => { if (this.onReleased === null) this.create(name) }),
      (error) => nextTick(() => form.stored(errors.thrown(error)))
    )
  }

  create (name) {
    const { store: { directory, flags, mode } } = this
    const target = path.join(directory, name)
    fs.open(target, flags, mode, (error, fd) => { // throws for a path with NUL
      if (error === null) Object.assign(this, { fd, path: target })
      this.proceed(error)
    })
    this.isNamed = true
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
      this.close(fd, (error) => this.proceed(error))
    } else if (onReleased !== null) {
      if (path === null) onReleased()
      else this.afterMoves(() => this.remove()).then(() => nextTick(onReleased))
    } else if (error !== null) {
      form.stored(unwritable(error, form.place)) // which releases this
    } else if (fd === null) {
      form.stored(null, { path, keep: (...target) => handOut(this.keep(...target)) })
    } else {
      if (isEnded || waiting.length >= BLOCK) this.flush()
      form.ready()
    }
  }

  close (fd, done) {
    fs.close(fd, done)
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

  /** What is done to the file begins where the last move leaves it. */
  afterMoves (act) {
    const moved = this.lastMove.then(act)
    this.lastMove = moved.catch(() => {})
    return moved
  }

  /**
   * Moves the file, so that it stays; where it was kept before if it cannot be
   * moved on. Without a target, it stays where it is.
   */
  async keep (...targets) {
    try {
      await this.afterMoves(() => this.moveTo(targets))
    } catch (error) {
      await this.lastMove // the app may look whether the file is removed
      throw error
    }
  }

  async moveTo (targets) {
    const [target] = targets.length === 0 ? [this.path] : targets.map(toPath)
    if (this.isRemoved) throw removed(this.path) // which may be that of another file by now
    if (target !== this.path) await move(this.path, target)
    this.path = this.file.path = target
    this.isKept = true
  }

  /** Once: the name may be that of another file then. */
  async remove () {
    if (this.isKept || this.isRemoved) return
    this.isRemoved = true
    await new Promise((resolve) => fs.unlink(this.path, resolve))
  }

  release (done) {
    this.onReleased = done
    if (!this.isBusy || !this.isNamed) this.proceed(null)
  }
}

/** A URL may be of another realm. */
const toPath = (target) => typeof target?.href === 'string' ? fileURLToPath(target) : target

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

/** The app's name for a file must not lead out of the directory. */
function checkName (name) {
  if (typeof name === 'string' && !UNSAFE.test(name)) return name
  throw new TypeError('filename of multipart.disk must return a name without a path')
}

/** As the file system would say it, which may not have removed the file yet. */
function removed (path) {
  const error = new Error(`ENOENT: the file is removed, as the response is closed: ${path}`)
  return Object.assign(error, { code: 'ENOENT', syscall: 'rename' })
}

/** 507 (RFC 4918, section 11.5) if there is no space, else 500. */
function unwritable (error, place) {
  const status = ['EDQUOT', 'ENOSPC'].includes(error.code) ? 507 : 500
  const own = { ...error, message: error.message } // http-errors takes an error of another realm for fields
  return errors.create(status, error, { ...own, ...place, expose: false, type: 'multipart.store.failed' })
}

module.exports = DiskStore
module.exports.DiskSink = DiskSink
module.exports.randomName = randomName
