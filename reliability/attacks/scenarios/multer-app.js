'use strict'

// A server that takes uploads with multer, or its stand-in, and an engine; for
// tools/server-process.js.

const { randomUUID } = require('node:crypto')
const fs = require('node:fs')
const http = require('node:http')
const os = require('node:os')
const path = require('node:path')

const targets = {
  'fast-body-parser': () => require('../../../lib/types/multer'),
  multer: () => require('multer')
}

/** Name -> makes an engine that stores files in a folder. */
const engines = {
  diskStorage: (multer, destination) => multer.diskStorage({ destination }),
  memoryStorage: (multer) => multer.memoryStorage(),
  piping: (multer, folder) => piping(folder)
}

const seen = { requests: 0, pending: 0 }
const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'multer-aborts-')))

/** @param {{ target: string, engine: string }} settings */
exports.createServer = function createServer ({ target, engine }) {
  const multer = targets[target]()
  const parse = multer({ storage: engines[engine](multer, folder) }).any()
  return http.createServer((req, res) => {
    seen.requests++
    seen.pending++
    parse(req, res, () => {
      seen.pending--
      res.end()
    })
  })
}

/** An engine of an app, as multer's README has it: nothing listens for errors of the stream. */
function piping (folder) {
  return {
    _handleFile (req, file, done) {
      const target = fs.createWriteStream(path.join(folder, randomUUID()))
      file.stream.pipe(target)
      target.on('error', done).on('finish', () => done(null, { path: target.path, size: target.bytesWritten }))
    },
    _removeFile: (req, file, done) => fs.unlink(file.path, done)
  }
}

exports.commands = {
  /** What is left of the requests so far. */
  sample () {
    const { arrayBuffers, heapUsed } = process.memoryUsage()
    const files = fs.readdirSync(folder).length
    return { ...seen, folder, files, descriptors: openIn(folder), memory: arrayBuffers + heapUsed }
  }
}

/** @returns {number} of descriptors of files there, those that are removed included */
function openIn (folder) {
  if (process.platform !== 'linux') return 0
  return fs.readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return fs.readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(folder)
    } catch { // that of the listing
      return false
    }
  }).length
}
