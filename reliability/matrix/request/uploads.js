'use strict'

// Uploads by multer, and in its place: an engine, the folder of an exchange, and
// how the errors of both are told apart.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')

/** A storage engine that listens to its stream, as most do. */
const engine = () => ({
  _handleFile (req, { stream }, done) {
    let size = 0
    stream.on('data', ({ length }) => { size += length })
    stream.on('error', done)
    stream.on('end', () => done(null, { size }))
  },
  _removeFile: (req, file, done) => done(null)
})

const createFolder = () => fs.mkdtempSync(path.join(os.tmpdir(), 'matrix-multer-'))

/** @returns {number} files that were in it */
function removeFolder (folder) {
  const { length } = fs.readdirSync(folder)
  fs.rmSync(folder, { recursive: true })
  return length
}

/** multer's errors have neither a type nor a status. */
const describeError = (error) => String(error?.code ?? error?.message ?? error)

module.exports = { createFolder, describeError, engine, removeFolder }
