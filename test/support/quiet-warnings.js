'use strict'

// Keeps out of the output what many tests cause on purpose: warnings of this
// package, the deprecation by http-errors of a status that is no error's, and what
// older Node.js says of the `path.matchesGlob` that the doctor calls.
// Listeners of `warning` get the warnings: a test that is about one adds its own.

process.env.NO_DEPRECATION ??= 'http-errors'

const isExpected = ({ code, name, message }) => {
  return code?.startsWith('FAST_BODY_PARSER_') || (name === 'ExperimentalWarning' && message.startsWith('glob is'))
}

for (const print of process.listeners('warning')) {
  process.removeListener('warning', print)
  process.on('warning', (warning) => {
    if (!isExpected(warning)) print.call(process, warning)
  })
}
