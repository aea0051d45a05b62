'use strict'

// What console.log shows of a parser: its name, and the options in effect.

const SWITCHES = ['verify', 'buffered', 'codingLists', 'rawBody', 'schema'] // off by default
const OBSERVERS = ['budget', 'minRate', 'timeout']
const OWN = {
  json: ['reviver', 'cooperative', 'depth', 'empty', 'onConstructorPoisoning', 'onProtoPoisoning', 'parse'],
  urlencoded: ['allowPrototypes', 'parse', 'qs'],
  custom: ['parse']
}

/**
 * @param {Function} middleware
 * @param {import('../core/middleware').Parser} parser
 * @param {ReturnType<import('../core/options').readCommon>} settings
 * @param {number | null} depth of objects that util.inspect still opens
 * @param {import('node:util').InspectOptionsStylized} format
 * @param {typeof import('node:util').inspect} inspect
 */
module.exports = function inspectParser (middleware, { descriptor }, settings, depth, format, inspect) {
  const title = format.stylize(`[Function: ${middleware.name}]`, 'special')
  if (depth < 0) return title
  // An object that refers to the parser would be opened again and again.
  return `${title} ${inspect({ ...optionsOf(descriptor, settings), ...middleware }, { ...format, depth: 1 })}`
}

/** What was given is shown as it is in the options object; what the parser has read, as it was read. */
function optionsOf ({ name, charsets, options }, settings) {
  const { drainLimit, given, inflate, limit, type } = settings
  const shown = { limit, type, inflate, drainLimit }
  if (name === 'custom') shown.charset = charsets?.fallback ?? false
  else if (charsets !== null) shown.defaultCharset = charsets.fallback
  Object.assign(shown, options)
  for (const option of SWITCHES) {
    if (settings[option]) shown[option] = settings[option]
  }
  if (shown.schema) shown.schema = { vendor: shown.schema['~standard'].vendor } // the whole may be huge
  for (const option of [...OBSERVERS, ...OWN[name] ?? []]) {
    if (option in Object(given)) shown[option] = given[option]
  }
  return shown
}
