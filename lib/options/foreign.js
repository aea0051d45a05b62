'use strict'

// What options of other packages are called here. A parser of streams refuses
// them: an app that still uses one fails when the parser is made, not at an
// upload that nothing bounds. The others ignore them, as body-parser does, and
// warn.

const warnings = require('../core/warnings')

const FILTER = 'types or filter of a rule in files'
const DISK = 'store: multipart.disk(directory)'

/** Name elsewhere -> here, for bodies of any type. */
const LIMITS = {
  bodyLimit: 'limit', // fastify
  maxBodySize: 'limit',
  maxSize: 'limit',
  sizeLimit: 'limit' // Next.js
}

/** For parsers of whole bodies. */
const WHOLE = {
  ...LIMITS,
  // koa-bodyparser
  enableTypes: 'a middleware for each type',
  formLimit: 'limit of urlencoded',
  jsonLimit: 'limit of json',
  returnRawBody: 'rawBody',
  textLimit: 'limit of text'
}

/** Parser -> name elsewhere -> here. */
const NAMES = {
  multipart: {
    ...LIMITS,
    // multer
    dest: DISK,
    fileFilter: FILTER,
    limits: 'limit, fields, files and parts',
    storage: 'store',
    // formidable
    filter: FILTER,
    maxFieldsSize: 'fields.size',
    maxFields: 'fields.max',
    maxFileSize: 'size of a rule in files',
    maxFiles: 'max of a rule in files',
    maxTotalFileSize: 'total',
    uploadDir: DISK,
    // express-fileupload
    tempFileDir: DISK,
    useTempFiles: DISK
  },
  jsonArray: { ...LIMITS, maxRecords: 'max', pointer: 'path' },
  ndjson: {
    ...LIMITS,
    maxRecords: 'max',
    // split2
    maxLength: 'record',
    skipOverflow: "onError: 'collect'"
  }
}

/** @returns {string | undefined} what the option is called here */
function synonymOf (parserName, name) {
  const names = NAMES[parserName] ?? WHOLE
  return Object.hasOwn(names, name) ? names[name] : undefined
}

/**
 * @param {string[]} own the options of the parser
 * @param {string[]} others the parsers that have an option of that name
 * @returns {string} what to write in place of an option that the parser does not have; else what it takes
 */
function hintOf (parserName, name, own, others) {
  const taken = own.join(', ')
  const synonym = synonymOf(parserName, name)
  const isOfOthers = synonym === undefined && others.length > 0
  if (isOfOthers) return `it belongs to ${others.join(', ')}; ${parserName} takes ${taken}`
  return warnings.hintOf(name, own, synonym) ?? `it takes ${taken}`
}

module.exports = { hintOf, synonymOf }
