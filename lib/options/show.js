'use strict'

// What console.log shows of a parser: its name, and the options in effect. Loads no file of an option: an app may log
// within a request, where none may be left to open.

const { isChanged, rowsOf } = require('./read-options')

const RULE = 2 // levels: files, a rule, its types

/** The parameters behind `parser` are those of a function for `util.inspect.custom`. */
module.exports = function showParser (middleware, { name, settings }, depth, format, inspect) {
  const title = format.stylize(`[Function: ${middleware.name}]`, 'special')
  if (depth < 0) return title
  const shown = {}
  for (const row of rowsOf(name)) {
    if (row.isShown) shown[row.name] = settings[row.name]
    else if (isChanged(row, settings)) shown[row.name] = settings.given[row.name]
  }
  if (shown.files) shown.files = { [inspect.custom]: () => inspect(settings.files, { ...format, depth: RULE }) }
  if (shown.schema) shown.schema = { vendor: shown.schema['~standard'].vendor } // the whole may be huge
  // `inspect` does not see that the parser is in it again: only a depth that decreases ends.
  return `${title} ${inspect({ ...shown, ...middleware }, { ...format, depth: Math.min(depth ?? 1, 1) })}`
}
