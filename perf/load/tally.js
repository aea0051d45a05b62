'use strict'

const hdr = require('hdr-histogram-js')

/**
 * Counts the responses to the requests of one turn, and compares each with what it must be.
 */
class Tally {
  constructor () {
    this.responses = 0
    this.bytes = 0 // of bodies
    this.statusCodes = {}
    this.mismatches = 0
    this.errors = 0
    this.problem = null // the first one, in words
    this.latency = hdr.build({ // ns; that of autocannon rounds to whole ms
      bitBucketSize: 64,
      lowestDiscernibleValue: 1,
      highestTrackableValue: 120e9,
      numberOfSignificantValueDigits: 3
    })
    this.began = 0n
    this.elapsed = 0 // ns
    this.backlog = 0 // requests that no connection was free for at the end
  }

  response (status, latency) {
    this.responses++
    this.statusCodes[status] = (this.statusCodes[status] ?? 0) + 1
    this.latency.recordValue(latency)
  }

  /**
   * Compares a response with what it must be.
   *
   * @param {number} status
   * @param {string} body a character per byte, as all answers are ASCII
   * @param {{ status: number, body: string }} expected
   */
  compare (status, body, expected) {
    this.bytes += body.length
    if (status === expected.status && body === expected.body) return
    this.mismatches++
    this.problem ??= status === expected.status
      ? `the answer is not what was sent: ${brief(body)} instead of ${brief(expected.body)}`
      : `status ${status} instead of ${expected.status}: ${brief(body)}`
  }

  error (message) {
    this.errors++
    this.problem ??= message
  }

  begin () {
    this.began = process.hrtime.bigint()
  }

  end (backlog = 0) {
    this.backlog = backlog
    this.elapsed = Number(process.hrtime.bigint() - this.began)
  }

  toJSON () {
    return {
      responses: this.responses,
      elapsed: this.elapsed,
      backlog: this.backlog,
      bytes: this.bytes,
      statusCodes: this.statusCodes,
      mismatches: this.mismatches,
      errors: this.errors,
      problem: this.problem,
      latency: hdr.encodeIntoCompressedBase64(this.latency)
    }
  }
}

function brief (body) {
  return JSON.stringify(body.length > 60 ? `${body.slice(0, 60)}...` : body)
}

module.exports = Tally
