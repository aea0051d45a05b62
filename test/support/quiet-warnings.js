'use strict'

// Keeps out of the output what many tests cause on purpose: warnings of this
// package, and the deprecation by http-errors of a status that is no error's.
// Listeners of `warning` get the warnings: a test that is about one adds its own.

process.env.NO_DEPRECATION ??= 'http-errors'

for (const print of process.listeners('warning')) {
  process.removeListener('warning', print)
  process.on('warning', (warning) => {
    if (!warning.code?.startsWith('FAST_BODY_PARSER_')) print.call(process, warning)
  })
}
