'use strict'

const createValidate = require('../answers/validate')
const { isolateError } = require('../core/body/promises')
const errors = require('../core/errors')
const { handOut } = require('../core/hand-out')
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
  return tellTypes(oncePerRequest('read', (request) => new Reading(parser, request).promise), parser)
}

/** The reading of one Request. By callbacks, as each promise takes a tenth of the time that a small body takes. */
class Reading {
  constructor (parser, request) {
    this.parser = parser
    this.request = request
    this.contentType = null // see ./header.js
    this.interruption = new Interruption(request, parser.settings.timeout)
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve
      this.reject = reject
    })
    try {
      this.begin()
    } catch (error) {
      this.fail(error)
    }
  }

  begin () {
    const { interruption, parser, request } = this
    const declaration = declarationOf(request)
    if (isEmpty(request, declaration)) return this.complete(parser.emptyBody())
    const contentType = parser.readType(request)
    if (!parser.settings.type(request, contentType.type)) {
      return this.complete(skip(parser, request, contentType, declaration, interruption))
    }
    const { charset, decode, isAllowed } = this.contentType = contentType
    const { verify } = parser.settings
    if (!isAllowed || (decode === null && verify)) throw errors.unsupportedCharset(charset, bound)
    readWhole(request, parser, declaration, interruption, {
      wantsText: charset === 'utf-8' && !verify,
      unknownCharset: decode === null ? charset : null,
      onWhole: (whole) => this.parse(whole),
      onError: (error) => this.fail(error)
    })
  }

  parse (whole) {
    try {
      this.complete(parseOurs(this.parser, this.request, this.contentType, whole, this.interruption))
    } catch (error) {
      this.fail(error)
    }
  }

  /** @param body or a promise of it, if the app has made one */
  complete (body) {
    if (this.parser.validate !== null || typeof body?.then === 'function') {
      this.validate(body).catch((error) => this.fail(error))
    } else {
      this.settle(body)
    }
  }

  async validate (promise) {
    const { interruption, parser: { validate } } = this
    const body = await promise
    this.settle(validate === null ? body : await interruption.wait(validate(body)))
  }

  settle (body) {
    this.interruption.close()
    this.resolve(body)
  }

  /** Once it is handed out, so that bodies which come need no handler of a rejection. */
  fail (error) {
    this.interruption.close()
    handOut(this.promise)
    this.reject(errors.thrown(error))
  }
}

/** `body` is asked for last, as it may make a stream. */
const isEmpty = (request, { isChunked, length }) => length === null && !isChunked && !request.body

/** Another type, which is left alone, but for a schema. */
function skip ({ emptyBody, settings: { schema } }, request, { type }, { isChunked, length }, interruption) {
  if (length !== null && !isChunked && !(length > 0)) return emptyBody()
  return schema === null || request.bodyUsed ? undefined : refuseContent(request, type, interruption)
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
