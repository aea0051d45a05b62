'use strict'

const createValidate = require('../answers/validate')
const { createAsyncParseStage, createSchemaStage, createVerifyStage } = require('../core/body/stages')
const errors = require('../core/errors')
const { markHandled } = require('../core/handled-promise')
const { wait } = require('../core/lifetime/wait')
const { escapeMessage, truncate } = require('../core/wording')
const { compose } = require('./compose')
const { readWhole, refuseContent } = require('./content')
const { tellTypes } = require('./first-of')
const { declarationOf } = require('./header')
const Interruption = require('./interruption')
const { loadCharsets } = require('./node')
const oncePerRequest = require('./once-per-request')
const { isTracing, trace } = require('./trace')
const { isUsed } = require('./whole')

/**
 * @param {string} name of the parser
 * @param {unknown} options
 * @param {(settings: object) => object} describe what this type of parser is; see ../compose.js
 * @returns {(request: Request) => Promise<unknown>} the same for the same request
 */
module.exports = function createReader (name, options, describe) {
  const composed = compose(name, options, describe)
  const { charsets } = composed
  if (charsets?.allows('utf-16le')) loadCharsets()
  const parser = { ...composed, ...composeStages(composed) }
  return tellTypes(oncePerRequest('read', (request) => new Reading(parser, request).promise), parser)
}

function composeStages ({ parse, settings: { schema, verify } }) {
  const end = (reading) => reading.end()
  const check = schema === null ? end : createSchemaStage(createValidate(schema), waitForApp)(end)
  const parseThenCheck = createAsyncParseStage(parse, 'text', waitForApp)(check)
  return {
    hasSchema: schema !== null,
    run: verify ? createVerifyStage(promising(verify), waitForApp)(parseThenCheck) : parseThenCheck,
    runSkipped: check
  }
}

/** The errors of a promise are isolated from those of other requests. The stage asks how many arguments it takes. */
function promising (verify) {
  const verifyLater = async (...args) => verify(...args)
  return Object.defineProperty(verifyLater, 'length', { __proto__: null, value: verify.length })
}

/** @type {import('../core/body/stages').Wait} */
function waitForApp (reading, promise, onValue, onError) {
  wait(promise, reading.interruption, onValue, onError, (fault) => reading.fail(fault))
}

/**
 * The reading of one Request, which is an exchange for the stages. By callbacks, as each promise takes a tenth of the
 * time that a small body takes.
 */
class Reading {
  wantsText = false // whether a text will do, if the content comes in one piece, or bytes that nobody keeps
  match = null // what the Content-Type says: see ../core/body/match.js
  res = undefined
  body = undefined
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
    const { parser, request } = this
    const declaration = declarationOf(request)
    if (isEmpty(request, declaration)) return this.giveUnread(parser.emptyBody)
    this.match = parser.match(request)
    if (this.match.skip) this.skip(declaration)
    else this.traced(() => this.read(declaration))
  }

  read (declaration) {
    const { match: { charset, refusal }, parser: { settings: { verify } } } = this
    if (refusal !== null) throw errors.unsupportedCharset(charset, truncate)
    this.wantsText = charset === 'utf-8' && !verify
    readWhole(this, declaration)
  }

  /** Content of another type, which is left alone, but for a schema. */
  skip ({ isChunked, length }) {
    const { interruption, parser, parser: { hasSchema }, request } = this
    if (length !== null && !isChunked && !(length > 0)) return this.giveUnread(parser.emptyBody)
    const isRefused = hasSchema && !isUsed(request)
    this.giveUnread(() => undefined, isRefused ? () => refuseContent(request, interruption) : null)
  }

  /**
   * @param {() => unknown} createBody of a request that is not read
   * @param {(() => Promise<void>) | null} [check] is rejected if there is content
   */
  giveUnread (createBody, check = null) {
    const { interruption, parser: { hasSchema, runSkipped, skip } } = this
    interruption.isAwaited = false
    const run = () => {
      this.body = createBody()
      runSkipped(this)
    }
    const callback = check === null ? run : () => check().then(run).catch((error) => this.fail(error))
    if (hasSchema || skip.length > 0) this.traced(callback) // as in the middleware
    else callback()
  }

  /** Publishes the reading, if somebody traces it. */
  traced (callback) {
    if (!isTracing()) return callback()
    trace(this.parser.name, this.interruption, (end) => {
      this.endTrace = end
      try {
        callback()
      } catch (error) {
        this.fail(error)
      }
    })
  }

  /** @param {string | Uint8Array} whole content */
  take (whole) {
    const { interruption, parser, request } = this
    interruption.decoded = typeof whole === 'string' ? interruption.received : whole.length
    if (whole.length > 0 || !isUndeclared(request)) return parser.run(this, whole)
    this.body = parser.emptyBody()
    parser.runSkipped(this)
  }

  get req () {
    return this.request
  }

  get signal () {
    return this.request.signal
  }

  /** What the app sees of a body is what this gives. */
  setField (name, value) {
    this.body = value
    return true
  }

  parseError (error, content) {
    return errors.unparsable(escapeMessage(error), content)
  }

  end () {
    this.interruption.release()
    this.tell(null, () => this.resolve(this.body))
  }

  /** Once it is handed out, so that bodies which come need no handler of a rejection. May be called again. */
  fail (error) {
    this.interruption.release()
    markHandled(this.promise)
    const fault = errors.thrown(error)
    this.tell(fault, () => this.reject(fault))
  }

  tell (error, tellApp) {
    const { endTrace } = this
    this.endTrace = null
    if (endTrace === null) tellApp()
    else endTrace(error, tellApp)
  }
}

/** `body` is asked for last, as it may make a stream. */
const isEmpty = (request, { isChunked, length }) => length === null && !isChunked && !request.body

function isUndeclared ({ headers }) {
  return ['content-length', 'transfer-encoding', 'content-encoding'].every((name) => headers.get(name) === null)
}
