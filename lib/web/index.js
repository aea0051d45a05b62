'use strict'

// fast-body-parser/web: parsers for a Request of the Fetch standard. Imports
// nothing that only Node has.

const { readDefaultCharset } = require('../core/options')
const { createNestedParse } = require('../form/nested')
const { describeForm } = require('../form/parse')
const { describeJson } = require('../json/parse')
const createReader = require('./read')

/** Each takes the options of the middleware of its name, and returns `(request) => Promise<body>`. */
exports.json = (options) => createReader(describeJson(options), options, 'application/json')

exports.raw = (options) => createReader({ charsets: null, parse: (bytes) => bytes }, options, 'application/octet-stream')

exports.text = (options) => createReader({
  charsets: { allows: () => true, fallback: readDefaultCharset(options) },
  parse: (text) => text
}, options, 'text/plain')

exports.urlencoded = (options) => createReader(describeForm(options, createNestedParse), options, 'application/x-www-form-urlencoded')
