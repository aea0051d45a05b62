'use strict'

// Functions of the app that report by a callback. One that throws or rejects has
// failed as well. Of several reports, the first counts.

const { isThenable } = require('../../core/checks')
const errors = require('../../core/errors')

/**
 * @param {(report: (error?: unknown, value?: unknown) => void) => unknown} call
 * @param {(error?: unknown, value?: unknown) => void} report is called once; its `error` may be of any type
 */
function callOnce (call, report) {
  let isCalling = true
  let first = null // what is reported
  const reportOnce = (...args) => {
    if (first !== null) return
    first = args
    if (!isCalling) report(...args)
  }
  const fail = (error) => reportOnce(error || errors.thrown(error))
  try {
    const result = call(reportOnce)
    if (isThenable(result)) result.then(undefined, fail)
  } catch (error) {
    fail(error)
  }
  isCalling = false
  if (first !== null) report(...first) // now, so that what it throws does not reach the app's function
}

/**
 * @returns {Answer | Promise<Answer>} what is reported; a promise if that takes time
 *
 * @typedef {{ error: unknown, value: unknown }} Answer
 */
function answerOf (call) {
  let answer = null
  let settle = null
  callOnce(call, (error, value) => {
    answer = { error, value }
    settle?.(answer)
  })
  return answer ?? new Promise((resolve) => { settle = resolve })
}

module.exports = { answerOf, callOnce }
