'use strict'

// Keeps the warnings of sizes and limits that many tests cause out of the
// output. Listeners of `warning` get them: a test that is about one of them adds its own.

const QUIET = new Set(['FAST_BODY_PARSER_LIMIT', 'FAST_BODY_PARSER_SIZE'])

for (const print of process.listeners('warning')) {
  process.removeListener('warning', print)
  process.on('warning', (warning) => {
    if (!QUIET.has(warning.code)) print.call(process, warning)
  })
}
