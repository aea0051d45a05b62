'use strict'

// What console.log shows of a parser: its name, and the options in effect.

const { activeRows, rowsOf } = require('.')

const RULE = 2 // levels: files, a rule, its types

/** The parameters behind `parser` are those of a function for `util.inspect.custom`. */
module.exports = function showParser (middleware, { name, settings }, depth, format, inspect) {
  const title = format.stylize(`[Function: ${middleware.name}]`, 'special')
  if (depth < 0) return title
  const shown = {}
  const active = new Set(activeRows(name, settings).map((row) => row.name))
  for (const row of rowsOf(name)) {
    if (row.load().isShown) shown[row.name] = settings[row.name]
    else if (active.has(row.name)) shown[row.name] = settings.given[row.name]
  }
  if (shown.files) shown.files = { [inspect.custom]: () => inspect(settings.files, { ...format, depth: RULE }) }
  if (shown.schema) shown.schema = { vendor: shown.schema['~standard'].vendor } // the whole may be huge
  // `inspect` does not see that the parser is in it again: only a depth that decreases ends.
  return `${title} ${inspect({ ...shown, ...middleware }, { ...format, depth: Math.min(depth ?? 1, 1) })}`
}
