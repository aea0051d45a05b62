'use strict'

/**
 * An outcome without what depends on timing: how far the request had been read
 * when `next` was called, for a coded body (zlib has a thread of its own) or for
 * one that was aborted.
 *
 * @param {object} outcome
 */
function comparable (outcome) {
  return { ...outcome, requests: outcome.requests.map(comparableRequest) }
}

function comparableRequest (request) {
  const isCoded = request.coding !== undefined
  return { ...request, steps: request.steps.map((step) => isCoded || step.error?.type === 'request.aborted' ? withoutReading(step) : step) }
}

function withoutReading ({ complete, ended, ...rest }) {
  return rest
}

module.exports = comparable
