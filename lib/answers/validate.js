'use strict'

const errors = require('../core/errors')
const { truncate } = require('../core/wording')

/**
 * @returns {(value: unknown) => Promise<unknown>} rejected with a 422 for what the schema refuses
 */
function createValidate (schema) {
  const standard = schema['~standard']
  return async (body) => {
    const { issues, value } = await standard.validate(body)
    if (issues) throw refusal(issues)
    return value
  }
}

const refusal = (issues) => errors.create(422, messageOf(issues), { issues, type: 'entity.invalid' })

const MESSAGE = 'request entity invalid'
const MAX_ISSUE_LENGTH = 300 // characters of an issue, which may quote the body

/** The message of an issue in one line. */
const boundIssue = (message) => truncate(message.replace(/\s+/g, ' '), MAX_ISSUE_LENGTH)

/** Names what the first issue is about. A schema of the app's may give anything for issues. */
function messageOf (issues) {
  try {
    const [{ message, path = [] }] = issues
    const place = path.map((step) => String(step?.key ?? step)).join('.')
    const isNamed = place === '' || message.startsWith(`${place} must `) // as arktype writes
    const about = isNamed ? message : `${place}: ${message}`
    return `${MESSAGE}: ${boundIssue(about)}`
  } catch {
    return MESSAGE
  }
}

module.exports = createValidate
module.exports.boundIssue = boundIssue
module.exports.messageOf = messageOf
module.exports.refusal = refusal
