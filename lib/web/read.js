'use strict'

const createValidate = require('../answers/validate')
const { isolateError } = require('../core/body/promises')
const errors = require('../core/errors')
const { bound } = require('../core/wording')
const { handOut } = require('../core/hand-out')
const decoderOf = require('./charset')
const { compose, findMistake } = require('./compose')
const { hasContent, readWhole } = require('./content')
const { tellTypes } = require('./first-of')
const { createTypeReader, declarationOf } = require('./header')
const Interruption = require('./interruption')

/**
 * A WeakMap would make each collection of garbage take longer, by half of what a small request costs in Deno. A private
 * field of the request is as invisible.
 */
function createMemory () {
  class Key {
    constructor (request) {
      return request
    }
  }
  return class Memory extends Key {
    #promise
    constructor (request, promise) {
      super(request)
      this.#promise = promise
    }

    static set (request, promise) {
      return new Memory(request, promise)
    }

    /** @returns {Promise<unknown> | undefined} */
    static get (request) {
      return #promise in request ? request.#promise : undefined
    }
  }
}

/**
 * @param {string} name of the parser
 * @param {unknown} options
 * @param {(settings: object) => object} describe what this type of parser is; see ../compose.js
 * @returns {(request: Request) => Promise<unknown>} the same for the same request
 */
module.exports = function createReader (name, options, describe) {
  const composed = compose(name, options, describe)
  const parser = { ...composed, readType: createTypeReader(composed.charsets) }
  const { schema, timeout } = parser.settings
  if (parser.charsets?.allows('utf-16le')) decoderOf.load()
  const validate = schema === null ? null : createValidate(schema)
  const pending = createMemory()
  return tellTypes((request) => {
    const mistake = findMistake(request, 'read')
    if (mistake !== null) return handOut(Promise.reject(mistake))
    let promise = pending.get(request)
    if (promise === undefined) pending.set(request, promise = handOut(readAndCheck(request)))
    return promise
  }, parser)

  async function readAndCheck (request) {
    const interruption = new Interruption(request, timeout)
    let body
    try {
      body = await read(parser, request, interruption)
      if (validate !== null) body = await interruption.wait(validate(body))
    } catch (error) {
      throw errors.thrown(error)
    } finally {
      interruption.close()
    }
    return body
  }
}

async function read (parser, request, interruption) {
  const { emptyBody, parse, readType, settings: { schema, type: matches, verify } } = parser
  const declaration = declarationOf(request)
  const { isChunked, length } = declaration
  const isDeclared = length !== null || isChunked
  if (!isDeclared && !request.body) return emptyBody() // asked last, as it may make a stream
  const contentType = readType(request)
  if (!matches(request, contentType.type)) {
    const mayHaveContent = isChunked || length > 0 // as in the middleware
    if (isDeclared && !mayHaveContent) return emptyBody()
    const isRefused = schema !== null && !request.bodyUsed && (!request.body || await hasContent(request, interruption))
    if (isRefused) throw errors.unsupportedMediaType(bound(contentType.type))
    return undefined
  }
  const { charset, decode } = contentType
  if (!contentType.isAllowed || (decode === null && verify)) throw errors.unsupportedCharset(charset, bound)
  const wants = { text: charset === 'utf-8' && !verify, unknownCharset: decode === null ? charset : null }
  const whole = await readWhole(request, parser, declaration, interruption, wants)
  if (whole.length === 0 && !isDeclared && request.headers.get('content-encoding') === null) return emptyBody()
  try {
    if (verify) await interruption.wait(verify(request, undefined, whole, charset))
  } catch (error) {
    throw interruption.fault ?? errors.unverified(isolateError(error), whole)
  }
  let content
  try {
    content = typeof whole === 'string' ? whole : decode(whole)
    const body = parse(content, charset, request, request)
    return typeof body?.then === 'function' ? await interruption.wait(body) : body // to await takes as long as to parse
  } catch (error) {
    throw interruption.fault ?? errors.unparsable(isolateError(error), content)
  }
}
