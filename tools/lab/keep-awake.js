'use strict'

/**
 * The core of this process must not go idle in a closed loop: a server pays for
 * waking it, on a virtual machine some microseconds for a response, and the
 * faster server pays less often.
 */
module.exports = async function keepAwake (running) {
  let timer = setImmediate(function spin () { timer = setImmediate(spin) })
  try {
    return await running
  } finally {
    clearImmediate(timer)
  }
}
