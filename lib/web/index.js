'use strict'

// fast-body-parser/web: parsers for a Request of the Fetch standard. Imports
// nothing that only Node has.

const { createBudget } = require('../core/lifetime/budget')
const { describeForm } = require('../formats/urlencoded/describe')
const { describeJson, describeRecords } = require('../formats/json/parse')
const { createItems, describeItems } = require('../records/json-array/array-items')
const { createLines } = require('../records/ndjson/line-records')
const { firstOf } = require('./first-of')
const multipart = require('./multipart')
const createReader = require('./read')
const createRecordReader = require('./records')
const toResponse = require('./to-response')

/** Each takes the options of the middleware of its name, and returns `(request) => Promise<body>`. */
exports.json = (options) => createReader('json', options, describeJson)

/** Each returns `(request) => Records`, an async iterable. */
exports.ndjson = (options) => createRecordReader('ndjson', options, describeRecords, createLines)
exports.jsonArray = (options) => createRecordReader('jsonArray', options, describeItems, createItems)

/** Returns `(request) => Promise<form>`, which has `parts`: see types/web.d.ts. */
exports.multipart = multipart

exports.raw = (options) => createReader('raw', options, () => ({ charsets: null, parse: (bytes) => bytes }))

exports.text = (options) => createReader('text', options, ({ defaultCharset }) => ({
  charsets: { allows: () => true, fallback: defaultCharset },
  parse: (text) => text
}))

exports.urlencoded = (options) => createReader('urlencoded', options, describeForm)

exports.createBudget = createBudget
exports.firstOf = firstOf
exports.toResponse = toResponse
