'use strict'

const errors = require('../core/errors')
const Source = require('../core/source/source')
const { truncate } = require('../core/wording')
const { GuardedBody, readChunks } = require('../records/chunks')
const Records = require('../records/records')
const { checkRequest, compose } = require('./compose')
const { openContent, refuseContent } = require('./content')
const { tellTypes } = require('./first-of')
const { mediaTypeOf } = require('./header')
const Interruption = require('./interruption')
const { isTracing, trace } = require('./trace')

/**
 * @param {string} name of the parser
 * @param {unknown} options
 * @param {(settings: object) => object} describe what this type of parser is; see ../compose.js
 * @param {(format: object, parser: object) => import('../records/results').RecordFinder} createFinder of one body
 * @returns {(request: Request) => Records} errors of the request are thrown in its loop
 */
module.exports = function createRecordReader (name, options, describe, createFinder) {
  const parser = compose(name, options, describe)
  return tellTypes(read, parser)

  function read (request) {
    checkRequest(request, name)
    const format = { decode, isSequence: mediaTypeOf(request) === 'application/json-seq' }
    const begin = (listener) => new RecordsBody(request, parser, listener)
    return new Records(readChunks.bind(null, begin), createFinder(format, parser), parser)
  }
}

/** What a loop reads of a Request; see ../records/chunks.js. */
class RecordsBody extends GuardedBody {
  constructor (request, parser, { interrupt, setCounter }) {
    const interruption = new Interruption(request, parser.settings)
    super(interruption)
    this.interruption = interruption
    this.request = request
    this.parser = parser
    this.content = null // once it is opened
    this.endTrace = null // if somebody traces the reading
    interruption.onFail(interrupt)
    setCounter(() => interruption.received)
    if (request.body && isTracing()) trace(parser.name, interruption, (end) => { this.endTrace = end })
  }

  async open () {
    try {
      return await this.openContent()
    } catch (error) {
      throw errors.thrown(error)
    }
  }

  async openContent () {
    const { interruption, parser, request } = this
    if (!request.body) return Source.of(NOTHING)
    const match = parser.match(request)
    if (match.skip) {
      await refuseContent(request, interruption)
      return Source.of(NOTHING)
    }
    if (match.refusal !== null) throw errors.unsupportedCharset(match.charset, truncate)
    this.content = openContent({ interruption, match, parser, request })
    return this.content
  }

  async stop (reason) {
    const { content, endTrace, interruption } = this
    this.isEnded = true
    if (reason === null) interruption.decoded = content?.received ?? null
    await content?.drain()
    interruption.release()
    endTrace?.(reason === undefined ? errors.recordsAbandoned() : reason, () => {})
  }
}

const NOTHING = new Uint8Array(0)
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const decode = (bytes) => decoder.decode(bytes)
