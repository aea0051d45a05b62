'use strict'

// Runs in processes under test, on whatever version of Node.js they have.

const fs = require('node:fs')

/**
 * The peak of this process's resident memory. Linux passes `maxRSS` of a parent
 * on to its children; VmHWM starts anew with each program.
 *
 * @returns {number} bytes
 */
module.exports = function peakRss () {
  try {
    return Number(fs.readFileSync('/proc/self/status', 'latin1').match(/^VmHWM:\s+(\d+) kB$/m)[1]) * 1024
  } catch {
    return process.resourceUsage().maxRSS * 1024
  }
}
