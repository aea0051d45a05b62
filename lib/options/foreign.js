'use strict'

// What options of other packages are called here. An app that still uses one of
// them fails when the parser is made, not at an upload that nothing bounds.

const { nearest } = require('../warnings')

const FILTER = 'types or filter of a rule in files'
const DISK = 'store: multipart.disk(directory)'

/** Parser -> name elsewhere -> here. */
const NAMES = {
  multipart: {
    // multer, and busboy
    dest: DISK,
    fileFilter: FILTER,
    limits: 'limit, fields, files and parts',
    storage: 'store',
    // formidable
    fileWriteStreamHandler: 'store',
    filter: FILTER,
    maxFieldsSize: 'fields.size',
    maxFields: 'fields.max',
    maxFileSize: 'size of a rule in files',
    maxFiles: 'max of a rule in files',
    maxTotalFileSize: 'total',
    uploadDir: DISK,
    // express-fileupload
    abortOnLimit: 'always so',
    parseNested: 'extended',
    tempFileDir: DISK,
    uploadTimeout: 'timeout',
    useTempFiles: DISK,
    // milliparsec
    fileCountLimit: 'max of a rule in files',
    fileSizeLimit: 'size of a rule in files',
    payloadLimit: 'limit'
  },
  ndjson: {
    maxRecords: 'max',
    // split2
    maxLength: 'record',
    skipOverflow: "onError: 'collect'"
  }
}

/** @returns {string} what to write in place of an unknown option; else what the parser takes */
module.exports = function hintOf (parser, name, own) {
  if (Object.hasOwn(NAMES[parser], name)) return `here it is ${NAMES[parser][name]}`
  const meant = nearest(name, own)
  return meant === undefined ? `it takes ${own.join(', ')}` : `did you mean ${meant}?`
}
