'use strict'

// fast-body-parser/multer: the API of multer.

const { compose } = require('../compose')
const { readOptions } = require('../options/read-options')
const read = require('../read')
const { readCharset } = require('../uploads/multer/charsets')
const { MulterError } = require('../uploads/multer/errors')
const { checkLimits } = require('../uploads/multer/limits')
const describe = require('../uploads/multer/parser')
const { createRoute } = require('../uploads/multer/routes')
const { DiskStorage, MemoryStorage } = require('../uploads/multer/storage')

/** @type {typeof import('../../types/multer')} */
module.exports = function multer (options) {
  if (options === undefined) return new Multer({})
  if (typeof options === 'object' && options !== null) return new Multer(options)
  throw new TypeError('Expected object for argument options')
}

class Multer {
  constructor (options) { // inherited properties count
    const { buffered, budget, drainLimit, minRate, timeout } = options
    const { dest, defCharset, defParamCharset, detect, fileFilter, limits, storage, streamHandler } = options
    this.storage = storage || (dest ? new DiskStorage({ destination: dest }) : new MemoryStorage())
    this.limits = typeof limits === 'function' ? limits : checkLimits(limits)
    this.preservePath = options.preservePath
    this.defParamCharset = readCharset(defParamCharset, 'defParamCharset', 'latin1')
    this.defCharset = readCharset(defCharset, 'defCharset', 'utf8')
    this.highWaterMark = options.highWaterMark
    this.fileFilter = fileFilter ?? null
    this.detect = detect
    this.streamHandler = streamHandler
    this.guards = { buffered, budget, drainLimit, minRate, timeout }
    if (detect !== undefined) checkFunction(detect, 'detect')
    if (streamHandler !== undefined) checkFunction(streamHandler, 'streamHandler')
    if (this.fileFilter !== null) checkFunction(fileFilter, 'fileFilter')
  }

  single (name) {
    return createMiddleware(this, createRoute('value', [{ name, maxCount: 1 }]))
  }

  array (name, maxCount) {
    return createMiddleware(this, createRoute('array', [{ name, maxCount }]))
  }

  fields (fields) {
    return createMiddleware(this, createRoute('object', fields))
  }

  none () {
    return createMiddleware(this, createRoute('none', []))
  }

  any () {
    return createMiddleware(this, createRoute('array', null))
  }
}

function checkFunction (value, name) {
  if (typeof value !== 'function') throw new TypeError(`Expected ${name} to be a function`)
}

function createMiddleware ({ guards, ...options }, route) {
  if (guards.buffered && options.streamHandler !== undefined) {
    throw new TypeError('option buffered cannot be combined with streamHandler')
  }
  // `limits.total` is the limit, which core/hidden-limit.js compares with none; content codings are not undone.
  const settings = { ...readOptions('multipart', guards), inflate: false, limit: Infinity, multer: options }
  const parser = compose('multipart', settings, () => describe(options, route))
  return parser.decorate(function multerMiddleware (req, res, next) {
    read(req, res, next, parser)
  })
}

module.exports.diskStorage = (options) => new DiskStorage(options)
module.exports.memoryStorage = () => new MemoryStorage()
module.exports.MulterError = MulterError
