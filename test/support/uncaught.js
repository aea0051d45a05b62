'use strict'

// What nothing catches, in place of mocha's listener, which would fail the test.

/** Until the function that is returned is called. */
function replaceListeners (listener) {
  const listeners = process.listeners('uncaughtException')
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', listener)
  return () => {
    process.removeAllListeners('uncaughtException')
    for (const listener of listeners) process.on('uncaughtException', listener)
  }
}

/** The next one. */
function nextUncaught () {
  return new Promise((resolve) => {
    const restore = replaceListeners((error) => {
      restore()
      resolve(error)
    })
  })
}

/** Calls `note` for each one, until `act` has ended. */
async function noteUncaught (note, act) {
  const restore = replaceListeners(note)
  try {
    return await act()
  } finally {
    restore()
  }
}

module.exports = { nextUncaught, noteUncaught }
