'use strict'

// `multipart()` of fast-body-parser/web: the forms of the middleware's, of a Request.

const createValidate = require('../answers/validate')
const { BYTES } = require('../core/body/match')
const errors = require('../core/errors')
const { markHandled, withHandledPromises } = require('../core/handled-promise')
const { waitAsync } = require('../core/lifetime/wait')
const createForm = require('../uploads/form/form')
const { checkDigest } = require('../uploads/form/file-part')
const { PartLoop } = require('../uploads/form/loops')
const StreamedFiles = require('../uploads/form/stream-form')
const { onceAnswered } = require('../core/request/listen')
const FileRules = require('../uploads/limits/file-rules')
const { formTooLarge } = require('../uploads/limits/messages')
const { isForm } = require('../uploads/parts/boundary')
const { checkDefault } = require('../uploads/parts/form-charsets')
const FileSet = require('../uploads/storage/file-set')
const { createOpenFile } = require('../uploads/storage/open-file')
const WebStream = require('../uploads/storage/web-stream')
const { checkRequest, compose, createTypeTest } = require('./compose')
const { openContent, refuseContent } = require('./content')
const { tellTypes } = require('./first-of')
const fillForm = require('./form-feed')
const { declarationOf, mediaTypeOf } = require('./header')
const Interruption = require('./interruption')
const { decoderOf, findCrypto, messageOf, responseOf } = require('./node')
const oncePerRequest = require('./once-per-request')
const { tracePromise } = require('./trace')
const { isUsed } = require('./whole')

const openFile = createOpenFile(WebStream)
const { asyncDispose = Symbol('Symbol.asyncDispose') } = Symbol // older runtimes lack it

/** @type {typeof import('../../types/web').multipart} */
function multipart (options) {
  const parser = composeForms(options)
  const read = parser.settings.store === 'stream' ? readFields : (...args) => runInTime(...args, readWhole)
  const readForm = oncePerRequest('multipart', (request) => markHandled(read(request, parser)))
  readForm.parts = parts
  return tellTypes(readForm, parser)

  function parts (request) {
    checkRequest(request, 'parts')
    return withHandledPromises(readParts(request, parser))
  }
}

multipart.disk = (directory, options) => {
  const DiskStore = require('../uploads/storage/disk') // which a bundle for browsers does not have
  if (typeof DiskStore === 'function') return new DiskStore(directory, options)
  throw new TypeError('multipart.disk needs a file system, which this runtime does not have: use a store of your own')
}

function composeForms (options) {
  const parser = compose('multipart', options, ({ defaultCharset, digest }) => {
    checkDefault(defaultCharset, decoderOf)
    checkDigest(digest, findCrypto()?.createHash)
    return { charsets: null, createTooLarge: formTooLarge }
  })
  const { extended, isLimitDerived, schema } = parser.settings
  return {
    ...parser,
    limitOf: isLimitDerived ? () => Infinity : parser.limitOf, // the form enforces a limit that was derived
    nest: extended ? require('../uploads/form/nest')(parser.settings) : (fields) => fields,
    validate: schema === null ? null : createValidate(schema)
  }
}

/** Reads a form. Rules of files that need one, and a schema, apply to a request without a form as well. */
async function readWhole (request, interruption, parser) {
  const { settings, settings: { schema } } = parser
  const needsForm = FileRules.needForm(settings, request.method)
  const mustFit = needsForm || (schema !== null && !isUsed(request))
  const skip = () => isSkipped(request, parser, interruption, mustFit)
  const readForm = () => readResult(request, interruption, parser)
  const readEither = async () => await skip() ? readNothing(request, interruption, parser) : readForm()
  if (needsForm || schema !== null) return tracePromise('multipart', interruption, readEither)
  return await skip() ? undefined : tracePromise('multipart', interruption, readForm)
}

async function readResult (request, interruption, parser) {
  const { nest, validate } = parser
  const reader = await runForm(request, parser, interruption)
  if (parser.streamed?.isBegun) return // `readFields` has given it
  const { fields, fileSet, files, limits } = reader.form
  try {
    const nested = nest(fields, limits.fieldCount)
    return createResult(validate === null ? nested : await waitAsync(validate(nested), interruption), files, fileSet)
  } catch (error) {
    await new Promise((resolve) => reader.stop(error, resolve))
    throw error
  }
}

async function readNothing (request, interruption, { settings, streamed, validate }) {
  FileRules.requireForm(settings, request.method)
  interruption.isAwaited = false
  const fields = await waitAsync(validate(undefined), interruption) // without a schema, a rule has required a file
  const files = streamed?.iterable ?? Object.create(null)
  return fields === undefined ? undefined : createResult(fields, files, new FileSet())
}

/** Option `store: 'stream'`: gives the fields when the first file begins, or what a form without files is. */
function readFields (request, parser) {
  return new Promise((resolve, reject) => {
    const give = (fields) => {
      resolve(createResult(fields, streamed.iterable, { release: () => streamed.stop() }))
      onceAnswered(responseOf(messageOf(request)), () => streamed.stopUnread()) // other servers discard it themselves
    }
    const streamed = new StreamedFiles(parser, give)
    runInTime(request, { ...parser, streamed }, readWhole).then((result) => {
      streamed.end()
      resolve(result)
    }, (error) => {
      streamed.end(error)
      reject(error)
    })
  })
}

async function runInTime (request, parser, callback) {
  const interruption = new Interruption(request, parser.settings)
  let result
  try {
    result = await callback(request, interruption, parser)
  } catch (error) {
    throw errors.thrown(error)
  } finally {
    interruption.release()
  }
  return result
}

/**
 * @param {boolean} mustFit whether content of another media type is refused
 * @returns {Promise<boolean>} whether there is nothing to read of the request
 */
async function isSkipped (request, { settings: { type: matches } }, interruption, mustFit) {
  const { isChunked, length } = declarationOf(request)
  const isDeclared = isChunked || length !== null
  if (!isDeclared && !request.body) return true
  const type = mediaTypeOf(request)
  if (matches(request, type)) return false
  if (!isDeclared && type === '' && request.bodyUsed) throw errors.notReadable() // Bun forgets the type of a FormData
  if (mustFit) await refuseContent(request, interruption)
  return true
}

/** @returns {Promise<import('../uploads/form/form-reader')>} a form that is complete */
async function runForm (request, parser, interruption) {
  const field = request.headers.get('content-type') ?? ''
  const content = openContent({ interruption, match: BYTES, parser, request })
  const reader = await fillForm(content, interruption, (feed) => {
    const fault = interruption.fault ?? content.refusal // before what the boundary is
    if (fault !== null) throw fault
    return createForm(parser.settings, hostOf(request), field, feed, parser.streamed)
  })
  interruption.decoded = content.received
  return reader
}

/** @returns {import('../uploads/form/request-form').Host} */
function hostOf (request) {
  let controller = null
  return {
    request,
    call: (callback, ...args) => callback(...args),
    contextOf: (fields) => ({ request, fields, signal: (controller ??= new AbortController()).signal }),
    abort: (reason) => controller?.abort(reason),
    openFile,
    createHash: findCrypto()?.createHash,
    decoderOf
  }
}

function createResult (fields, files, fileSet) {
  const dispose = async () => { await fileSet.release() }
  const descriptor = { __proto__: null, configurable: true, writable: true, value: dispose }
  return Object.defineProperty({ fields, files, dispose }, asyncDispose, descriptor)
}

/** Of any multipart type, unless option `type` says otherwise. */
async function * readParts (request, parser) {
  const { settings, settings: { given } } = parser
  const loop = new PartLoop()
  loop.isForm = isForm(request.headers.get('content-type') ?? '')
  const type = given.type ? settings.type : createTypeTest(['multipart/form-data', 'multipart/*'])
  const loopParser = { ...parser, settings: { ...settings, type, openLoop: () => loop } }
  const readEach = async (request, interruption) => {
    if (!await isSkipped(request, loopParser, interruption, true)) return runForm(request, loopParser, interruption)
    FileRules.requireForm(settings, request.method)
  }
  const read = (...args) => tracePromise('multipart', args[1], () => readEach(...args))
  runInTime(request, loopParser, read).then(() => loop.end(), (error) => loop.end(error))
  try {
    yield * loop.items()
  } finally { // the loop may end before the parts do
    loop.stop()
  }
}

module.exports = multipart
