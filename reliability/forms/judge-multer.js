'use strict'

// Whether what an app sees is what multer makes of the same form in other words, or of the parts before an error.

const { isDeepStrictEqual } = require('node:util')
const theirs = require('multer')
const ours = require('../../lib/types/multer')
const { outcomeOf } = require('../../test/support/multer-outcome')
const { inTime, ofForms } = require('./differences')
const { unhide, writeForm } = require('./form-text')
const { cut } = require('./pieces')
const { makeOf } = require('./route')

const OWN_ENGINES = ['memory', 'disk', 'dest', 'named'] // done with a file before the next part
const REMOVED_TWICE = /^ENOENT.*unlink/

/** @returns {Promise<object>} the outcome here; see ../../test/support/multer-outcome.js */
const observe = ({ form, route, sizes }) => ask(ours, route, form, cut(writeForm(form, route).text, sizes))

async function ask (multer, route, { boundary }, body) {
  const headers = { 'Content-Type': `multipart/form-data; boundary="${boundary}"` }
  const { status, ...seen } = await outcomeOf(multer, { make: makeOf(route), body, headers }) // multer's have no status
  return seen
}

/** @returns {Promise<object>} that of multer */
async function askMulter (route, form, text) {
  return unhide(await ask(theirs, route, form, Buffer.from(text, 'latin1')), form.boundary)
}

/**
 * @param {{ form: import('./form').Form, route: object }} drawn
 * @param {object} seen
 * @returns {Promise<string[] | null>} the differences that were met; null if something else differs
 */
async function judge ({ form, route }, seen) {
  const { twin, why } = writeForm(form, route)
  const filter = route.filter.replace(', later', '')
  const askAbout = (text, engine = route.engine) => askMulter({ ...route, filter, engine }, form, text)
  const met = [...why.map((key) => ofForms[key]), ...filter === route.filter ? [] : [inTime.filter]]
  const expected = await askAbout(twin())
  if (isDeepStrictEqual(seen, expected)) return met
  if (seen.calls !== 1 || seen.left !== 0 || seen.error === undefined) return null
  const reasons = route.engine === 'failing'
    ? await reasonsOfEngine(seen, form, twin, askAbout)
    : reasonsOf(seen, await firstFailure(twin, form, askAbout), OWN_ENGINES.includes(route.engine))
  return reasons && [...met, ...reasons]
}

/** The error is the engine's, or of a part behind; the parts are some of those that an engine which works has read. */
async function reasonsOfEngine (seen, { parts }, twin, askAbout) {
  const failed = await firstFailure(twin, { parts }, askAbout)
  const errors = [failed?.error]
  let isKnown = false
  for (let count = failed?.count ?? Infinity; count <= parts.length; count++) {
    const { body, error, ...read } = await askAbout(twin(count), 'reading')
    if (error !== undefined) errors.push(error)
    const isRead = (file) => isPlace(file, file.fieldname) || filesOf(read).some((one) => isDeepStrictEqual(one, file))
    if (isDeepStrictEqual(seen.body, body) && filesOf(seen).every(isRead)) isKnown = true
  }
  return isKnown && errors.some((error) => isDeepStrictEqual(error, seen.error)) ? [inTime.engine] : null
}

const filesOf = ({ file = [], files = [] }) => [file, ...Object.values(files)].flat().filter((file) => file !== true)

function reasonsOf (seen, failed, isStored) {
  if (failed === null || !hasWhatCameBefore(seen, failed.before, isStored)) return null
  if (isDeepStrictEqual(seen.error, failed.error)) return [inTime.before]
  const [error, expected] = [seen, failed].map(withoutSecondRemovals)
  return isDeepStrictEqual(error, expected) ? [inTime.before, inTime.removal] : null
}

/** With more and more of the parts: their count at the first error, that, and what multer makes of those before. */
async function firstFailure (twin, { parts }, askAbout) {
  let before = null
  for (let count = 0; count <= parts.length; count++) {
    const outcome = await askAbout(twin(count))
    if (outcome.error !== undefined) return { before: before ?? outcome, error: outcome.error, count }
    before = outcome
  }
  return null
}

function withoutSecondRemovals ({ error }) {
  const storageErrors = error?.storageErrors?.filter((message) => !REMOVED_TWICE.test(message))
  return error && { ...error, ...storageErrors && { storageErrors } }
}

/** Files whose engines are still at work have a place in the list, as has the one that has failed. */
function hasWhatCameBefore (seen, before, isStored) {
  if (!isDeepStrictEqual(seen.body, before.body)) return false
  if (seen.file !== undefined && !isDeepStrictEqual(seen.file, withoutBytes(before.file ?? {}))) return false
  const [lists, expected] = [seen, before].map(({ files = [] }) => Array.isArray(files) ? { all: files } : files)
  const isAsBefore = (file, other) =>
    isDeepStrictEqual(file, withoutBytes(other)) || (!isStored && isPlace(file, other.fieldname))
  let places = 0
  for (const name of new Set([...Object.keys(expected), ...Object.keys(lists)])) {
    if (name === '<null>') continue
    const [files = [], others = []] = [lists[name], expected[name]]
    if (!others.every((other, index) => files.length > index && isAsBefore(files[index], other))) return false
    const more = files.slice(others.length)
    if (!more.every((file) => isPlace(file, file.fieldname))) return false
    places += more.length
  }
  return places <= 1
}

const isPlace = (file, name) => isDeepStrictEqual(file, { fieldname: name })

/** Those of memory are dropped after an error. */
const withoutBytes = ({ buffer, ...file }) => file

module.exports = { askMulter, judge, observe }
