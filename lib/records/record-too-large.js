'use strict'

const errors = require('../core/errors')
const { formatSize } = require('../core/wording')

/** Not the message of a body, against which `limit` would help. */
function messageOf (limit, { line, record }) {
  const subject = record === undefined ? `record too large (line ${line})` : `item too large (record ${record})`
  return `${subject}: at most ${formatSize(limit)}`
}

/**
 * The 413 of a record.
 *
 * @param {number} limit bytes
 * @param {{ line?: number, record?: number, offset: number }} place of it
 */
function recordTooLarge (limit, place) {
  return errors.create(413, messageOf(limit, place), { limit, ...place, type: 'entity.too.large' })
}

module.exports = { messageOf, recordTooLarge }
