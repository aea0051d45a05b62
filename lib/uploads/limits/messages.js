'use strict'

// The messages of errors of a form: what was found, in which field, and what is allowed.

const errors = require('../../core/errors')
const { formatSize, quote } = require('../../core/wording')

const atMost = (limit) => `: at most ${limit}`
const atMostBytes = (limit) => `: at most ${formatSize(limit)}`

/** Type -> what is allowed. */
const ALLOWED = {
  __proto__: null,
  'field.too.large': atMostBytes,
  'fields.too.many': atMost,
  'file.too.large': atMostBytes,
  'files.too.few': (limit) => `: at least ${limit}`,
  'files.too.large': atMostBytes,
  'files.too.many': atMost,
  'form.too.large': atMostBytes,
  'header.too.large': atMostBytes,
  'name.too.long': atMostBytes,
  'parts.too.many': atMost
}

/**
 * @param {string} type what is wrong, such as `name.missing`
 * @param {{ field?: string, limit?: number }} fields of the error; the client chooses the name of a field
 * @param {string} [detail] what more is to be said
 */
function messageOf (type, { field, limit }, detail = '') {
  const named = field === undefined ? '' : ` (field ${quote(field)})`
  return `multipart: ${type.replaceAll('.', ' ')}${named}${ALLOWED[type]?.(limit) ?? ''}${detail}`
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
