'use strict'

// The messages of errors of a form: what was found, in which field, and what is allowed.

const errors = require('../../core/errors')
const { formatSize, quote } = require('../../core/wording')

/** What is allowed, of an error that has a limit: of bytes, unless the type says otherwise. */
function showLimit (type, limit) {
  if (limit === undefined) return ''
  if (type.endsWith('too.few')) return `: at least ${limit}`
  return `: at most ${type.endsWith('too.many') ? limit : formatSize(limit)}`
}

/**
 * @param {string} type what is wrong, such as `name.missing`
 * @param {{ field?: string, limit?: number }} fields of the error; the client chooses the name of a field
 * @param {string} [detail] what more is to be said
 */
function messageOf (type, { field, limit }, detail = '') {
  const named = field === undefined ? '' : ` (field ${quote(field)})`
  return `multipart: ${type.replaceAll('.', ' ')}${named}${showLimit(type, limit)}${detail}`
}

/** An error of a part, or of the form's structure. */
function refusal (status, type, fields, detail) {
  return errors.create(status, messageOf(type, fields, detail), { ...fields, type: `multipart.${type}` })
}

/** The 413 of the whole form, with the part that was read, if there is one. */
function formTooLarge (fields) {
  return errors.create(413, messageOf('form.too.large', fields), { ...fields, type: 'entity.too.large' })
}

module.exports = { formTooLarge, refusal }
