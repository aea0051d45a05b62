'use strict'

// The engines that multer brings along. ./form.js stores their files without
// them, by ../storage; their methods serve apps that wrap them.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { pipeline } = require('node:stream')
const { randomName } = require('../storage/disk')
const { callOnce } = require('./call-back')

class DiskStorage {
  /** @param {{ destination?: string | Function, filename?: Function, flush?: boolean } | undefined} options */
  constructor (options) {
    const { destination, filename, flush } = options ?? {}
    const isPath = typeof destination === 'string'
    if (isPath) fs.mkdirSync(destination, { recursive: true })
    this.getFilename = filename || ((req, file, done) => done(null, randomName()))
    this.flush = flush
    const answer = (directory) => (req, file, done) => done(null, directory)
    this.getDestination = isPath ? answer(destination) : destination || answer(os.tmpdir())
  }

  /** @param {(error: unknown, place?: { path: string, destination: string, filename: string }) => void} done */
  locate (req, file, done) {
    callOnce((report) => this.getDestination(req, file, report), (error, destination) => {
      if (error) return done(error)
      callOnce((report) => this.getFilename(req, file, report), (error, filename) => {
        if (error) return done(error)
        let place
        try {
          place = { path: path.join(destination, filename), destination, filename }
        } catch (error) { // one of them is no string
          return done(error)
        }
        done(null, place)
      })
    })
  }

  _handleFile (req, file, done) {
    this.locate(req, file, (error, place) => {
      if (error) return done(error)
      file.path = place.path // for apps that wrap this
      let target
      try {
        target = fs.createWriteStream(place.path, { flush: Boolean(this.flush) })
      } catch (error) { // the name has a NUL
        return done(error)
      }
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

/** Whether an engine is one of these, with methods that an app has not replaced. */
const isBuiltIn = (engine, Storage) =>
  ['_handleFile', '_removeFile'].every((name) => engine[name] === Storage.prototype[name])

module.exports = { DiskStorage, MemoryStorage, isBuiltIn }
