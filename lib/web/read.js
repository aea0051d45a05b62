'use strict'

const createValidate = require('../answers/validate')
const { isolateError } = require('../core/body/promises')
const errors = require('../core/errors')
const { bound, legible } = require('../core/wording')
const decoderOf = require('./charset')
const { compose } = require('./compose')
const { readWhole, refuseContent } = require('./content')
const { tellTypes } = require('./first-of')
const { createTypeReader, declarationOf } = require('./header')
const Interruption = require('./interruption')
const oncePerRequest = require('./once-per-request')

/**
 * @param {string} name of the parser
 * @param {unknown} options
 * @param {(settings: object) => object} describe what this type of parser is; see ../compose.js
 * @returns {(request: Request) => Promise<unknown>} the same for the same request
 */
module.exports = function createReader (name, options, describe) {
  const composed = compose(name, options, describe)
  const { charsets, settings: { schema } } = composed
  if (charsets?.allows('utf-16le')) decoderOf.load()
  const validate = schema === null ? null : createValidate(schema)
  const parser = { ...composed, readType: createTypeReader(charsets), validate }
  return tellTypes(oncePerRequest('read', (request) => read(parser, request)), parser)
}

/** One asynchronous function for all of an ordinary request: each more takes as long as to parse a small body. */
async function read (parser, request) {
  const { validate, settings: { timeout } } = parser
  const interruption = new Interruption(request, timeout)
  let body
  try {
    const declaration = declarationOf(request)
    if (isEmpty(request, declaration)) {
      body = parser.emptyBody()
    } else {
      const contentType = parser.readType(request)
      if (parser.settings.type(request, contentType.type)) {
        const whole = await readOurs(parser, request, contentType, declaration, interruption)
        body = parseOurs(parser, request, contentType, whole, interruption)
      } else {
        body = skip(parser, request, contentType, declaration, interruption)
      }
      if (typeof body?.then === 'function') body = await body
    }
    if (validate !== null) body = await interruption.wait(validate(body))
  } catch (error) {
    throw errors.thrown(error)
  } finally {
    interruption.close()
  }
  return body
}

/** `body` is asked for last, as it may make a stream. */
const isEmpty = (request, { isChunked, length }) => length === null && !isChunked && !request.body

/** Another type, which is left alone, but for a schema. */
async function skip (parser, request, { type }, { isChunked, length }, interruption) {
  const { emptyBody, settings: { schema } } = parser
  if (length !== null && !isChunked && !(length > 0)) return emptyBody()
  if (schema !== null && !request.bodyUsed) await refuseContent(request, type, interruption)
}

/** @returns {Promise<Uint8Array | string>} the content */
function readOurs (parser, request, { charset, decode, isAllowed }, declaration, interruption) {
  const { verify } = parser.settings
  if (!isAllowed || (decode === null && verify)) throw errors.unsupportedCharset(charset, bound)
  const wants = { text: charset === 'utf-8' && !verify, unknownCharset: decode === null ? charset : null }
  return readWhole(request, parser, declaration, interruption, wants)
}

/** @returns the body, or a promise of it if the app has made one */
function parseOurs (parser, request, contentType, whole, interruption) {
  if (whole.length === 0 && isUndeclared(request)) return parser.emptyBody()
  if (parser.settings.verify) return verifyAndParse(parser, request, contentType, whole, interruption)
  return parseContent(parser, request, contentType, whole, interruption)
}

function isUndeclared ({ headers }) {
  return ['content-length', 'transfer-encoding', 'content-encoding'].every((name) => headers.get(name) === null)
}

async function verifyAndParse (parser, request, contentType, whole, interruption) {
  try {
    await interruption.wait(parser.settings.verify(request, undefined, whole, contentType.charset))
  } catch (error) {
    throw interruption.fault ?? errors.unverified(isolateError(error), whole)
  }
  return parseContent(parser, request, contentType, whole, interruption)
}

function parseContent ({ parse }, request, { charset, decode }, whole, interruption) {
  let content
  const fail = (error) => {
    throw interruption.fault ?? errors.unparsable(legible(isolateError(error)), content)
  }
  try {
    content = typeof whole === 'string' ? whole : decode(whole)
    const body = parse(content, charset, request, request)
    return typeof body?.then === 'function' ? interruption.wait(body).then(undefined, fail) : body
  } catch (error) {
    return fail(error)
  }
}
