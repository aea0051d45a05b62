'use strict'

const { createHistogram } = require('node:perf_hooks')

/** Counts the responses to a load. */
class Tally {
  responses = 0
  bytes = 0
  statusCodes = {}
  latency = createHistogram() // ns

  /** @param {number} latency ms */
  add (status, bytes, latency) {
    this.responses++
    this.bytes += bytes
    this.statusCodes[status] = (this.statusCodes[status] ?? 0) + 1
    this.latency.record(Math.max(1, Math.round(latency * 1e6)))
  }

  /** @returns {{ responses: number, bytes: number, statusCodes: object, latency: object }} `latency`: ms */
  figures () {
    const { responses, bytes, statusCodes, latency } = this
    const at = (percentile) => latency.percentile(percentile) / 1e6
    return { responses, bytes, statusCodes, latency: { mean: latency.mean / 1e6, p50: at(50), p99: at(99) } }
  }
}

/** @returns {string | null} how a response differs from the one that was expected */
function differenceOf (status, body, expected) {
  if (status === expected.status && body === expected.body) return null
  return `${status} ${brief(body)} instead of ${expected.status} ${brief(expected.body)}`
}

const brief = (body) => JSON.stringify(body.length > 60 ? `${body.slice(0, 60)}...` : body)

module.exports = { Tally, differenceOf }
