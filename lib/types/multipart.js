'use strict'

// Nothing of ../multipart is loaded before a parser is made.

const errors = require('../core/errors')
const { createParser, wrap } = require('../core/middleware')
const { readCommon } = require('../core/options')
const read = require('../read')

const DEFAULT_LIMIT = 1024 * 1024 // bytes

/** @type {import('../..').BodyParser['multipart']} */
module.exports = function multipart (options) { // see index.d.ts; console.log(multipart()) shows the defaults
  const settings = readCommon(options, 'multipart/form-data', DEFAULT_LIMIT)
  const form = require('../multipart/options')(options)
  const iterate = require('../multipart/parts')
  const middleware = compose(form, settings)
  const parts = (req, res) => iterate((changes) => compose({ ...form, ...changes }, { ...settings, schema: undefined }), req, res)
  return Object.defineProperty(middleware, 'parts', { value: parts, configurable: true, writable: true })
}

/** @type {import('../..').BodyParser['multipart']['disk']} */
module.exports.disk = function disk (directory) {
  const { DiskStore } = require('../multipart/stores')
  return new DiskStore(directory)
}

function compose (form, settings) {
  const { createForm, createSource } = require('../multipart/source')
  const parser = createParser({
    name: 'multipart',
    input: 'bytes',
    charsets: null,
    createSource: (createDecoders) => createSource(form, createDecoders),
    parseStage (exchange, content, proceed) {
      if (Buffer.isBuffer(content)) replay(exchange, content, proceed, (listener) => createForm(form, exchange, listener))
      else show(exchange, content, proceed)
    },
    options: form.shown
  }, settings)
  return wrap(function multipartParser (req, res, next) {
    read(req, res, next, parser)
  }, parser, settings)
}

/** A whole body, that other code has read before. */
function replay (exchange, bytes, proceed, createForm) {
  let form
  try {
    form = createForm({ ready () {}, settled })
  } catch (error) {
    exchange.fail(error)
    return
  }
  form.write(bytes)
  form.end()

  function settled (error) {
    if (error === null) exchange.runInAsyncScope(show, undefined, exchange, form, proceed)
    else fail(exchange, form, error)
  }
}

/** What a form has become. */
function show (exchange, form, proceed) {
  const { req, res } = exchange
  const { nest, onField } = form.settings
  try {
    if (onField === undefined) {
      req.body = nest(form.fields, 'utf-8', form.fieldCount)
      req.files = form.files
    }
  } catch (error) { // nested too deep, or of a setter of the app's
    fail(exchange, form, errors.thrown(error))
    return
  }
  onceClosed(res, () => form.release(() => {}))
  proceed(exchange)
}

function fail (exchange, form, error) {
  form.abort(error, () => exchange.runInAsyncScope(exchange.fail, exchange, error))
}

/** A response of a wrapper, without a connection, is finished but not closed. */
function onceClosed (res, act) {
  if (res?.closed || res?.writableFinished) act()
  else res?.once?.('close', act).once('finish', act)
}
