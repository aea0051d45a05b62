'use strict'

// fast-body-parser/web: parsers for a Request of the Fetch standard. Imports
// nothing that only Node has.

const { describeForm } = require('../urlencoded/describe')
const { describeJson } = require('../json/parse')
const createReader = require('./read')

/** Each takes the options of the middleware of its name, and returns `(request) => Promise<body>`. */
exports.json = (options) => createReader('json', options, describeJson)

/** Returns `(request) => Records`, an async iterable. */
exports.ndjson = require('./ndjson')

exports.raw = (options) => createReader('raw', options, () => ({ charsets: null, parse: (bytes) => bytes }))

exports.text = (options) => createReader('text', options, ({ defaultCharset }) => ({
  charsets: { allows: () => true, fallback: defaultCharset },
  parse: (text) => text
}))

exports.urlencoded = (options) => createReader('urlencoded', options, describeForm)
