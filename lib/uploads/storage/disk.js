'use strict'

// `multipart.disk(directory, options)`: a store; see ./open-file.js.

const { randomBytes } = require('node:crypto')
const fs = require('node:fs')
const path = require('node:path')
const { isObject, optional, optionalFunction } = require('../../core/checks')
const DiskFile = require('./disk-file')

const ALL = 0o777
const OWNER = 0o600 // may read and write
const UNSAFE = /^\.{0,2}$|[/\\\0]/ // for every system

const randomName = () => randomBytes(16).toString('hex')

const readObject = optional(isObject, 'an object')
const readMode = optional(
  (value) => Number.isInteger(value) && value >= 0 && value <= ALL,
  'a number from 0 to 0o777'
)

class DiskStore {
  isDiskStore = true // for the check of options, which must not load modules of Node

  constructor (directory, options) {
    const isPath = typeof directory === 'string' && directory !== ''
    if (!isPath) throw new TypeError('multipart.disk must be given a directory')
    const { filename, mode, ...others } = readObject(options, 'multipart.disk', {})
    const [unknown] = Object.keys(others)
    if (unknown !== undefined) throw new TypeError(`option multipart.disk takes filename, mode; not ${unknown}`)
    this.filename = optionalFunction(filename, 'filename of multipart.disk', null)
    this.mode = readMode(mode, 'mode of multipart.disk', OWNER)
    this.directory = path.resolve(directory)
    fs.mkdirSync(this.directory, { recursive: true })
  }

  /**
   * @param {object} file what the app is told of it
   * @param {object} part
   * @param {(callback: Function, subject: object) => Promise<unknown>} part.ask calls a function of the app's
   * @param {object} part.place fields of an error
   */
  open (file, { ask, place }) {
    const { directory, filename, mode } = this
    const findPath = filename === null
      ? () => path.join(directory, randomName())
      : () => ask(filename, { ...file }).then((name) => path.join(directory, checkName(name)))
    // `wx` fails if there is a file of this name, which is that of another upload.
    return new DiskFile(file, findPath, { flags: 'wx', mode, place })
  }
}

/** The app's name for a file must not lead out of the directory. */
function checkName (name) {
  if (typeof name === 'string' && !UNSAFE.test(name)) return name
  throw new TypeError('filename of multipart.disk must return a name without a path')
}

module.exports = DiskStore
module.exports.randomName = randomName
