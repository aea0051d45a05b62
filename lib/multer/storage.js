'use strict'

// The engines that multer brings along. The form gives their files to sinks of
// its own; as engines, they serve apps that wrap them.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { pipeline } = require('node:stream')
const errors = require('../errors')
const { randomName } = require('../multipart/disk')

class DiskStorage {
  /** @param {{ destination?: string | Function, filename?: Function, flush?: boolean } | undefined} options */
  constructor (options) {
    const { destination, filename, flush } = options ?? {}
    const isPath = typeof destination === 'string' && destination !== ''
    if (isPath) fs.mkdirSync(destination, { recursive: true })
    this.getFilename = filename || ((req, file, done) => done(null, randomName()))
    this.flush = flush
    const answer = (directory) => (req, file, done) => done(null, directory)
    this.getDestination = isPath ? answer(destination) : destination || answer(os.tmpdir())
  }

  /** @param {(error: unknown, place?: { path: string, destination: string, filename: string }) => void} done */
  locate (req, file, done) {
    const fail = (error) => done(error || errors.thrown(error))
    step((report) => this.getDestination(req, file, report), (destination) => {
      step((report) => this.getFilename(req, file, report), (filename) => {
        done(null, { path: path.join(destination, filename), destination, filename })
      })
    })

    /** What the app's function throws, or rejects with, and what is wrong with its answer, is an error. */
    function step (call, goOn) {
      try {
        const result = call((error, value) => {
          if (error) return done(error)
          try {
            goOn(value)
          } catch (error) {
            fail(error)
          }
        })
        if (typeof result?.then === 'function') result.then(undefined, fail)
      } catch (error) {
        fail(error)
      }
    }
  }

  _handleFile (req, file, done) {
    return this.locate(req, file, (error, place) => {
      if (error) return done(error)
      file.path = place.path // for apps that wrap this
      const target = fs.createWriteStream(place.path, { flush: Boolean(this.flush) })
      let isOpened = false
      target.once('open', () => { isOpened = true })
      // It may still be opened after an error.
      const closed = new Promise((resolve) => { target.once('close', resolve) })
      pipeline(file.stream, target, (error) => closed.then(() => {
        if (!error) done(null, { ...place, size: target.bytesWritten })
        else if (isOpened) fs.unlink(place.path, () => done(error))
        else done(error)
      }))
    })
  }

  _removeFile (req, file, done) {
    fs.unlink(file.path, done)
  }
}

class MemoryStorage {
  _handleFile (req, file, done) {
    const chunks = []
    file.stream.on('data', (chunk) => chunks.push(chunk))
    file.stream.once('error', done)
    file.stream.once('end', () => {
      const buffer = Buffer.concat(chunks)
      done(null, { buffer, size: buffer.length })
    })
  }

  _removeFile (req, file, done) {
    delete file.buffer
    done(null)
  }
}

/** Whether an engine is one of these as it was made: an app may have replaced a method. */
function isOwn (engine, Storage) {
  if (Object.getPrototypeOf(engine) !== Storage.prototype) return false
  return ['_handleFile', '_removeFile'].every((name) => !Object.hasOwn(engine, name))
}

module.exports = { DiskStorage, MemoryStorage, isOwn }
