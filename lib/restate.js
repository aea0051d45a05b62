'use strict'

/** The same error with this message, and without further own properties. */
function restate (error, message) {
  const { stack } = error // begins with the name, which may be one of them
  for (const name of Object.getOwnPropertyNames(error)) {
    if (name !== 'stack' && name !== 'message') delete error[name]
  }
  error.stack = stack.replace(error.message, () => message)
  error.message = message
  return error
}

module.exports = restate
