'use strict'

const { clearTimeout, setTimeout } = require('node:timers') // also where a test fakes the global ones

/**
 * @template Outcome, Late
 * @param {Promise<Outcome>} promise
 * @param {number} ms
 * @param {Late} late
 * @returns {Promise<Outcome | Late>} what the promise gives; `late` after so long
 */
module.exports = async function inTime (promise, ms, late) {
  let timer
  const isLate = new Promise((resolve) => { timer = setTimeout(resolve, ms, late).unref() })
  try {
    return await Promise.race([promise, isLate])
  } finally {
    clearTimeout(timer) // it keeps all that was seen in memory, for as long as thousands of requests take
  }
}
