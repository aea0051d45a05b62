'use strict'

// Tables of forms that multer and its stand-in are to agree about.

const assert = require('node:assert/strict')
const theirs = require('multer')
const ours = require('../../lib/types/multer')
const { outcomeOf } = require('./multer-outcome')

const HEAD = 'Content-Disposition: form-data; name='
const BYTES = '\x89P\xFF\xFE' // a character for each byte
const END = '--b--\r\n'

const part = (header, value = '1') => `--b\r\n${header}\r\n\r\n${value}\r\n`
const field = (name, value = '1') => part(`${HEAD}"${name}"`, value)
const file = (name, filename = 'a.txt', value = 'hi') => part(`${HEAD}"${name}"; filename="${filename}"`, value)
const form = (...parts) => parts.join('') + END
const any = (options) => (multer) => multer(options).any()

/** Calls `note` with the request before `next`. */
const noting = (make, note) => (multer, folder) => {
  const upload = make(multer, folder)
  return (req, res, next) => upload(req, res, (error) => {
    note(req, error)
    next(error)
  })
}

/** What both make of an upload (see ./multer-outcome.js). */
async function agreed (upload) {
  const [seen, expected] = await Promise.all([ours, theirs].map((multer) => outcomeOf(multer, upload)))
  assert.equal(seen.hangs, undefined)
  const { status, ...rest } = seen
  delete expected.status
  assert.deepEqual(rest, expected)
  return rest
}

/** @param {Record<string, [body: string, make?: Function | object, more?: object]>} rows `make`, or options of `any` */
function agree (rows) {
  for (const [title, [body, make = {}, more]] of Object.entries(rows)) {
    it(title, () => agreed({ body, make: typeof make === 'function' ? make : any(make), ...more }))
  }
}

/** What a row may expect: an error by its code or message, files by their size. */
function brief ({ error, files, ...seen }) {
  const sizes = Array.isArray(files) ? files.map(({ fieldname, size }) => `${fieldname}: ${size}`) : files
  return { ...seen, error: error?.thrown ?? error?.code ?? error?.message, files: sizes }
}

function check (seen, expected) {
  const found = brief(seen)
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map((key) => [key, found[key]])), expected)
}

/** @param {Record<string, [make: Function, body: string, ours: object, theirs?: object, more?: object]>} rows */
function differ (rows) {
  for (const [title, [make, body, expected, ofMulter, more]] of Object.entries(rows)) {
    it(title, async () => {
      check(await outcomeOf(ours, { make, body, ...more }), expected)
      if (ofMulter === undefined) return
      const patience = ofMulter.hangs ? 300 : undefined
      check(await outcomeOf(theirs, { make, body, ...more, patience }), ofMulter)
    })
  }
}

const both = (upload) => Promise.all([ours, theirs].map((multer) => outcomeOf(multer, upload)))

module.exports = { BYTES, HEAD, agree, agreed, any, both, differ, field, file, form, noting, ours, part, theirs }
