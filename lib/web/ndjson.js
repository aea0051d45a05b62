'use strict'

const contentType = require('content-type')
const errors = require('../errors')
const readChunks = require('../ndjson/chunks')
const describeRecords = require('../ndjson/parse')
const Records = require('../ndjson/records')
const compose = require('./compose')
const { readContent } = require('./content')
const Interruption = require('./interruption')

/**
 * @param {unknown} options
 * @returns {(request: Request) => Records} errors of the request are thrown in its loop
 */
module.exports = function ndjson (options) {
  const parser = compose('ndjson', options, describeRecords)
  const { charsets, matches, settings } = parser
  return (request) => {
    if (typeof request?.headers?.get !== 'function') {
      throw new TypeError('ndjson takes a Request of the web, such as c.req.raw of Hono')
    }
    const { parameters: { charset = 'utf-8' }, type } = contentType.parse(request.headers.get('content-type') ?? '')
    const format = { decode: createDecode(), isSequence: type === 'application/json-seq' }
    return new Records(readChunks.bind(null, begin.bind(null, read)), format, parser)

    async function read (add, end) {
      const interruption = new Interruption(request, settings.timeout)
      try {
        await readRecords(add, interruption)
        await interruption.wait(end())
      } finally {
        interruption.close()
      }
    }

    async function readRecords (add, interruption) {
      if (!request.body) return
      if (!matches(request, type)) throw errors.unsupportedMediaType(type)
      if (!charsets.allows(charset.toLowerCase())) throw errors.unsupportedCharset(charset.toLowerCase())
      await readContent(request, parser, interruption, add)
    }
  }
}

function createDecode () {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  return (bytes) => decoder.decode(bytes)
}

/** Reads until the sink has the whole content, or wants no more; `next` is called when the sink is done. */
function begin (read, createSink, next) {
  let fault = null
  let resume = () => {}
  let finish
  const finished = new Promise((resolve) => { finish = resolve })
  const sink = createSink({
    ready: () => resume(),
    settled (error) {
      fault = error
      resume()
      finish()
    }
  })
  const add = async (chunk) => {
    sink.write(chunk)
    await new Promise((resolve) => { resume = resolve })
    if (fault !== null) throw fault
  }
  const end = () => {
    sink.end()
    return finished
  }
  read(add, end).then(() => next(), (error) => next(errors.thrown(error)))
}
