'use strict'

/** The same error with this message, and without further own properties. */
function restate (error, message) {
  const stack = error.stack ?? bareStack(error) // begins with the name, which may be one of them
  for (const name of Object.getOwnPropertyNames(error)) {
    if (name !== 'stack' && name !== 'message') delete error[name]
  }
  error.stack = stack.replace(error.message, () => message)
  error.message = message
  return error
}

/** JavaScriptCore gives no stack where V8 gives one without frames: secure-json-parse switches these off. */
function bareStack (error) {
  return error instanceof SyntaxError ? String(error) : undefined
}

module.exports = restate
