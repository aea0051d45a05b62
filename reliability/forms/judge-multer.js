'use strict'

// Whether what an app sees is what multer makes of the same form, or of the parts before an error.

const { isDeepStrictEqual } = require('node:util')
const theirs = require('multer')
const ours = require('../../lib/types/multer')
const { outcomeOf } = require('../../test/support/multer-outcome')
const { cut, writeForm } = require('./form')
const { makeOf } = require('./route')

/** The differences that are meant. */
const LATER = 'A filter that answers later is asked about a file once it has answered about the one before.'
const BEFORE = 'After the first error of a form, the request has what came before it, and places of files that failed.'

/** @returns {Promise<object>} the outcome here; see ../../test/support/multer-outcome.js */
const observe = ({ form, route, sizes }) => ask(ours, route, form, cut(writeForm(form), sizes))

async function ask (multer, route, { boundary }, body) {
  const headers = { 'Content-Type': `multipart/form-data; boundary="${boundary}"` }
  const { status, ...seen } = await outcomeOf(multer, { make: makeOf(route), body, headers }) // multer's have no status
  return seen
}

/** @returns {Promise<string[] | null>} the differences that were met; null if something else differs */
async function judge ({ form, route }, seen) {
  const filter = route.filter.replace(', later', '')
  const askAbout = (count) => ask(theirs, { ...route, filter }, form, Buffer.from(writeForm(form, count), 'latin1'))
  const met = filter === route.filter ? [] : [LATER]
  if (isDeepStrictEqual(seen, await askAbout())) return met
  if (seen.calls !== 1 || seen.left !== 0 || seen.error === undefined) return null
  let before
  for (let count = 0; count <= form.parts.length; count++) {
    const outcome = await askAbout(count)
    if (outcome.error === undefined) before = outcome
    else return isSameFailure(seen, outcome, before ?? outcome) ? [...met, BEFORE] : null
  }
  return null
}

/** The error of the first part that fails, with the fields of those before, and their files but for their bytes. */
function isSameFailure (seen, { error }, before) {
  const places = filesOf(seen).filter((file) => !isDeepStrictEqual(file, { fieldname: file.fieldname }))
  const whole = filesOf(before).map(({ buffer, ...file }) => file)
  return isDeepStrictEqual([seen.error, seen.body], [error, before.body]) &&
    places.every((file) => whole.some((one) => isDeepStrictEqual(one, file)))
}

const filesOf = ({ file = [], files = [] }) => [file, ...Object.values(files)].flat().filter((file) => file !== true)

module.exports = { judge, observe }
