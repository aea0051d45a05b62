'use strict'

// A file that is stored on the disk, until it is kept or removed.

const { randomBytes } = require('node:crypto')
const fs = require('node:fs')
const path = require('node:path')
const { fileURLToPath } = require('node:url')
const { markHandled } = require('../../core/handled-promise')

class KeptFile {
  /**
   * @param {string} path
   * @param {{ path?: string }} file what the app gets of it, which shows where it was moved
   */
  constructor (path, file) {
    this.path = path
    this.file = file
    this.isKept = false
    this.isRemoved = false
    this.lastMove = Promise.resolve() // or the removal
  }

  /** @returns {import('./open-file').Outcome} */
  get outcome () {
    const keep = (...targets) => markHandled(this.keep(targets))
    return { fields: { path: this.path, keep }, remove: () => this.remove() }
  }

  /** What is done to the file begins where the last move leaves it. */
  afterMoves (callback) {
    const moved = this.lastMove.then(callback)
    this.lastMove = moved.catch(() => {})
    return moved
  }

  /**
   * Keeps the file: moves it to the target, or leaves it where it is if there is none. If a file that was kept before
   * cannot be moved, it stays where it was kept.
   */
  async keep (targets) {
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
    this.path = target
    this.isKept = true
    Reflect.set(this.file, 'path', target) // the app may have frozen it
  }

  /**
   * Removes the file, unless the app has kept it.
   *
   * @returns {Promise<Error | null>} what the file system says against it
   */
  remove () {
    return this.afterMoves(() => this.isKept || this.isRemoved ? null : this.unlink())
  }

  /** Once: the name may be that of another file then. */
  unlink () {
    this.isRemoved = true
    return new Promise((resolve) => fs.unlink(this.path, (error) => {
      const isGone = !error || error.code === 'ENOENT' // Deno 2.9 gives undefined
      resolve(isGone ? null : error)
    }))
  }
}

/** A URL may be of another realm. */
const toPath = (target) => typeof target?.href === 'string' ? fileURLToPath(target) : target

async function move (source, target) {
  try {
    await fs.promises.rename(source, target)
  } catch (error) {
    if (error.code !== 'EXDEV') throw error // the target is on another file system
    // Copied beside the target first, as a copy that fails would destroy a file that is there.
    const copy = path.join(path.dirname(String(target)), randomBytes(16).toString('hex'))
    try {
      await fs.promises.copyFile(source, copy)
      await fs.promises.rename(copy, target)
    } finally {
      await fs.promises.rm(copy, { force: true })
    }
    await fs.promises.unlink(source)
  }
}

/** As the file system would say it, which may not have removed the file yet. */
function removed (path) {
  const error = new Error(`ENOENT: the file is removed, as the response is closed or the form disposed of: ${path}`)
  return Object.assign(error, { code: 'ENOENT', syscall: 'rename' })
}

module.exports = KeptFile
