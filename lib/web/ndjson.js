'use strict'

const contentType = require('content-type')
const errors = require('../core/errors')
const readChunks = require('../ndjson/chunks')
const describeRecords = require('../ndjson/parse')
const Records = require('../ndjson/records')
const compose = require('./compose')
const { readContent } = require('./content')

/**
 * @param {unknown} options
 * @returns {(request: Request) => Records} errors of the request are thrown in its loop
 */
module.exports = function ndjson (options) {
  const parser = compose('ndjson', options, describeRecords)
  const { charsets, limitOf, matches, settings } = parser
  return (request) => {
    if (typeof request?.headers?.get !== 'function') throw new TypeError('ndjson takes a Request of the web, such as c.req.raw of Hono')
    const { parameters: { charset = 'utf-8' }, type } = contentType.parse(request.headers.get('content-type') ?? '')
    return new Records((interrupt) => readChunks((...sink) => begin(read, ...sink), interrupt), { decode: createDecode(), isSequence: type === 'application/json-seq' }, parser)

    async function read (add) {
      if (!request.body) return
      if (!matches(request, type)) throw errors.unsupportedMediaType(type)
      if (!charsets.allows(charset.toLowerCase())) throw errors.unsupportedCharset(charset.toLowerCase())
      await readContent(request, { ...settings, limit: limitOf(request) }, add)
    }
  }
}

function createDecode () {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  return (bytes) => decoder.decode(bytes)
}

/** Reads until the sink has the whole content, or wants no more. */
function begin (read, createSink, next) {
  let fault = null
  let resume = () => {}
  const sink = createSink({
    ready: () => resume(),
    settled (error) {
      fault = error
      resume()
    }
  })
  read(async (chunk) => {
    sink.write(chunk)
    await new Promise((resolve) => { resume = resolve })
    if (fault !== null) throw fault
  }).then(() => {
    sink.end()
    next()
  }, (error) => next(errors.thrown(error)))
}
