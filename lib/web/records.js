'use strict'

const errors = require('../core/errors')
const { bound } = require('../core/wording')
const Source = require('../core/source/source')
const readChunks = require('../records/chunks')
const Records = require('../records/records')
const { checkRequest, compose } = require('./compose')
const { openContent, refuseContent } = require('./content')
const { tellTypes } = require('./first-of')
const { createTypeReader } = require('./header')
const Interruption = require('./interruption')

/**
 * @param {string} name of the parser
 * @param {unknown} options
 * @param {(settings: object) => object} describe what this type of parser is; see ../compose.js
 * @param {(format: object, parser: object) => import('../records/source').Source} createSource of one body
 * @returns {(request: Request) => Records} errors of the request are thrown in its loop
 */
module.exports = function createRecordReader (name, options, describe, createSource) {
  const parser = compose(name, options, describe)
  const { charsets, settings: { timeout, type: matches } } = parser
  const readType = createTypeReader(charsets)
  return tellTypes(read, parser)

  function read (request) {
    checkRequest(request, name)
    const { charset, isAllowed, type } = readType(request)
    const format = { decode, isSequence: type === 'application/json-seq' }
    return new Records(readChunks.bind(null, begin), createSource(format, parser), parser)

    /** @returns {import('../records/chunks').Body} */
    function begin ({ interrupt, measure }) {
      const interruption = new Interruption(request, timeout)
      let content = null
      interruption.call(interrupt)
      measure(() => interruption.received)
      return { close, open: () => open().catch((error) => { throw errors.thrown(error) }) }

      async function open () {
        if (!request.body) return Source.of(NOTHING)
        if (!matches(request, type)) {
          await refuseContent(request, type, interruption)
          return Source.of(NOTHING)
        }
        if (!isAllowed) throw errors.unsupportedCharset(charset, bound)
        content = openContent({ interruption, parser, request })
        return content
      }

      async function close () {
        await content?.close()
        interruption.close()
      }
    }
  }
}

const NOTHING = new Uint8Array(0)
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const decode = (bytes) => decoder.decode(bytes)
