'use strict'

const createValidate = require('../answers/validate')
const { isolateError } = require('../core/body/promises')
const { isThenable } = require('../core/checks')
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
const { isTracing, trace } = require('./trace')

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
  wantsText = false // whether a text will do, if the content comes in one piece, or bytes that nobody keeps
  unknownCharset = null // is refused before the content is read
  contentType = null // see ./header.js
  endTrace = null // of a reading that is published

  constructor (parser, request) {
    this.parser = parser
    this.request = request
    this.interruption = new Interruption(request, parser.settings)
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
    const { parser, parser: { settings: { type: matches } }, request } = this
    const declaration = declarationOf(request)
    if (isEmpty(request, declaration)) return this.leave(parser.emptyBody)
    this.contentType = parser.readType(request)
    if (!matches(request, this.contentType.type)) return this.leave(() => this.skip(declaration))
    if (isTracing()) this.trace(() => this.read(declaration))
    else this.read(declaration)
  }

  /** @param {() => unknown} createBody of a request that is not read */
  leave (createBody) {
    const { interruption, parser: { skip, validate } } = this
    interruption.isAwaited = false
    const complete = () => this.complete(createBody())
    if ((validate !== null || skip.length > 0) && isTracing()) this.trace(complete) // as in the middleware
    else complete()
  }

  trace (act) {
    trace(this.parser.name, this.interruption, (end) => {
      this.endTrace = end
      try {
        act()
      } catch (error) {
        this.fail(error)
      }
    })
  }

  read (declaration) {
    const { contentType: { charset, decode, isAllowed }, parser: { settings: { verify } } } = this
    if (!isAllowed || decode === null) {
      const unknown = isAllowed ? charset.toLowerCase() : charset // as the middleware has it
      if (!isAllowed || verify) throw errors.unsupportedCharset(unknown, bound)
      this.unknownCharset = unknown
    }
    this.wantsText = charset === 'utf-8' && !verify
    readWhole(this, declaration)
  }

  /** Another type, which is left alone, but for a schema. */
  skip ({ isChunked, length }) {
    const { contentType, interruption, parser, request } = this
    if (length !== null && !isChunked && !(length > 0)) return parser.emptyBody()
    if (parser.settings.schema !== null && !request.bodyUsed) {
      return refuseContent(request, contentType.type, interruption)
    }
  }

  take (whole) {
    const { interruption } = this
    interruption.decoded = typeof whole === 'string' ? interruption.received : whole.length
    try {
      this.complete(this.parse(whole))
    } catch (error) {
      this.fail(error)
    }
  }

  /** @returns the body, or a promise of it if the app has made one */
  parse (whole) {
    const { parser, parser: { settings: { verify } }, request } = this
    if (whole.length === 0 && isUndeclared(request)) return parser.emptyBody()
    return verify ? this.verify(verify, whole) : this.parseContent(whole)
  }

  async verify (verify, whole) {
    const { contentType: { charset }, interruption, request } = this
    try {
      await interruption.wait(verify(request, undefined, whole, charset))
    } catch (error) {
      throw interruption.fault ?? errors.unverified(isolateError(error), whole)
    }
    return this.parseContent(whole)
  }

  parseContent (whole) {
    const { contentType: { charset, decode }, interruption, parser, request } = this
    let content
    const fail = (error) => {
      throw interruption.fault ?? errors.unparsable(legible(isolateError(error)), content)
    }
    try {
      content = typeof whole === 'string' ? whole : decode(whole)
      const body = parser.parse(content, charset, request, request)
      return isThenable(body) ? interruption.wait(body).then(undefined, fail) : body
    } catch (error) {
      return fail(error)
    }
  }

  complete (body) {
    if (this.parser.validate !== null || isThenable(body)) {
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
    this.end(null, () => this.resolve(body))
  }

  /** Once it is handed out, so that bodies which come need no handler of a rejection. May be called again. */
  fail (error) {
    this.interruption.close()
    handOut(this.promise)
    const fault = errors.thrown(error)
    this.end(fault, () => this.reject(fault))
  }

  end (error, settle) {
    const { endTrace } = this
    this.endTrace = null
    if (endTrace === null) settle()
    else endTrace(error, settle)
  }
}

/** `body` is asked for last, as it may make a stream. */
const isEmpty = (request, { isChunked, length }) => length === null && !isChunked && !request.body

function isUndeclared ({ headers }) {
  return ['content-length', 'transfer-encoding', 'content-encoding'].every((name) => headers.get(name) === null)
}
