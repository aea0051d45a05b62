'use strict'

// Nothing of ../uploads is loaded before a parser is made, nor what reads a body in pieces.

const createParser = require('../compose')
const errors = require('../core/errors')
const { missingNext } = require('../core/body/read-promise')
const { ignoreErrors, onceAnswered } = require('../core/request/listen')
const read = require('../read')

/** @type {import('../..').BodyParser['multipart']} */
module.exports = function multipart (options) { // see index.d.ts; console.log(multipart()) shows the defaults
  const parser = createParser('multipart', options, describe)
  const createParts = require('../uploads/form/request-parts')
  const parts = createParts((openLoop) => {
    const settings = { ...parser.settings, type: partsType(parser.settings), schema: null, openLoop }
    const composed = createParser.compose('multipart', settings, describe)
    return [createMiddleware(composed), composed]
  })
  const descriptor = { __proto__: null, value: parts, configurable: true, writable: true }
  return Object.defineProperty(createMiddleware(parser), 'parts', descriptor)
}

/** @type {import('../..').BodyParser['multipart']['disk']} */
module.exports.disk = function disk (directory, options) {
  const DiskStore = require('../uploads/storage/disk')
  return new DiskStore(directory, options)
}

const createMiddleware = (parser) => parser.decorate(function multipartParser (req, res, next) {
  read(req, res, next, parser)
})

/** A loop takes any multipart type, unless option `type` says otherwise. ../core/hidden-limit.js knows both. */
const partsType = ({ given, type }) => given.type ? type : ['multipart/form-data', 'multipart/*']

/** Requests that are skipped have no files, so that `req.files.avatar` does not throw if a client sends JSON. */
const createFiles = (middleware) => function multipartParser (req, res, next) {
  if (typeof next !== 'function') throw missingNext()
  middleware(req, res, (...error) => {
    if (error.length === 0) ignoreErrors(() => { req.files ??= Object.create(null) }) // a setter of the app's
    next(...error)
  })
}

class Itself {
  constructor (object) {
    return object // which gets the private fields of the class that extends this one
  }
}

/**
 * Marks `req.files` with the parser that has made it, as `req.body` may be a value of its schema. A WeakSet of all such
 * objects would have to be cleaned with each collection of garbage.
 */
class FilesOfParser extends Itself {
  #settings

  constructor (files, settings) {
    super(files)
    this.#settings = settings
  }

  static areOf (settings, files) {
    return Object(files) === files && #settings in files && files.#settings === settings
  }
}

function describe (settings) {
  const createStreamReader = require('../core/body/stream-reader')
  const { checkDefault } = require('../uploads/parts/form-charsets')
  const createForm = require('../uploads/form/form')
  const { createStages, hostOf, removeOnFailure, requireForm } = require('../uploads/form/request-form')
  const nest = settings.extended ? require('../uploads/form/nest')(settings) : (fields) => fields
  const mark = (files) => new FilesOfParser(files, settings)
  const isStreamed = settings.store === 'stream' && settings.openLoop === undefined
  const streaming = isStreamed ? require('../uploads/form/request-files')(settings, nest, mark) : null
  const openForm = (exchange, feed) => {
    const { req } = exchange
    return createForm(settings, hostOf(exchange), req.headers['content-type'] ?? '', feed, streaming?.filesOf(req))
  }
  require('../uploads/form/file-part').checkDigest(settings.digest, require('node:crypto').createHash)
  checkDefault(settings.defaultCharset, require('../core/body/charset').decoderOf)
  const isOwn = (req) => ignoreErrors(() => FilesOfParser.areOf(settings, req.files)) === true // a getter may throw
  return {
    charsets: null,
    isOwn,
    skip: requireForm(settings, isOwn),
    wrapMiddleware: streaming?.wrapMiddleware ??
      (settings.openLoop === undefined ? createFiles : (middleware) => middleware),
    limit: settings.isLimitDerived ? Infinity : settings.limit, // the form enforces one that was derived
    createTooLarge: require('../uploads/limits/messages').formTooLarge,
    createStreamReader: (createDecoder) => createStreamReader(openForm, createDecoder),
    ...createStages(openForm, show)
  }

  function show (exchange, reader, proceed) {
    removeOnFailure(exchange, reader) // also if the schema refuses the form
    if (reader.form.streamed?.isBegun) exchange.parser.Exchange.end(exchange) // `end` of the loop is its `next`
    else if (settings.openLoop === undefined) setBody(exchange, reader, nest, onSet)
    else proceed(exchange)

    function onSet () {
      mark(reader.form.files)
      proceed(exchange)
    }
  }
}

function setBody (exchange, reader, nest, proceed) {
  const { fields, files, limits } = reader.form
  let body
  try {
    body = nest(fields, limits.fieldCount)
  } catch (error) { // nested too deep
    exchange.fail(errors.thrown(error))
    return
  }
  if (!exchange.setField('body', body) || !exchange.setField('files', files)) return
  onceAnswered(exchange.res, () => reader.release())
  proceed(exchange)
}
