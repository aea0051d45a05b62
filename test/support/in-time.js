'use strict'

const { clearTimeout, setTimeout } = require('node:timers') // also where a test fakes the global ones

/** What the promise gives; `late` after so many ms. */
module.exports = async function inTime (promise, ms, late) {
  let timer
  const isLate = new Promise((resolve) => { timer = setTimeout(resolve, ms, late).unref() })
  try {
    return await Promise.race([promise, isLate])
  } finally {
    clearTimeout(timer) // it keeps all that was seen in memory, for as long as thousands of requests take
  }
}
