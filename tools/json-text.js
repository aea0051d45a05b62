'use strict'

const WIDTH = 120 // characters

/**
 * JSON as a person reads it: a list or an object that fits on a line is on one, and numbers fill their lines.
 *
 * @param {unknown} value plain data
 * @param {string} [indent] of the line that it is in
 * @param {string} [before] what precedes it on that line
 * @returns {string}
 */
function jsonText (value, indent = '', before = '') {
  const line = (JSON.stringify(value, null, 1) ?? 'null').replace(/\n */g, ' ')
  if (Object(value) !== value || indent.length + before.length + line.length < WIDTH) return before + line
  const inner = `${indent}  `
  if (Array.isArray(value)) {
    const lines = value.some(isNested) ? value.map((item) => jsonText(item, inner)) : fill(value, inner)
    return `${before}[\n${lines.map((text) => inner + text).join(',\n')}\n${indent}]`
  }
  const given = Object.entries(value).filter(([, field]) => field !== undefined)
  const fields = given.map(([name, field]) => inner + jsonText(field, inner, `${JSON.stringify(name)}: `))
  return `${before}{\n${fields.join(',\n')}\n${indent}}`
}

const isNested = (item) => Object(item) === item

/** @returns {string[]} lines of as many items as fit */
function fill (items, indent) {
  const lines = []
  for (const item of items) {
    const text = JSON.stringify(item) ?? 'null'
    const longer = `${lines.at(-1)}, ${text}`
    if (lines.length > 0 && indent.length + longer.length < WIDTH) lines[lines.length - 1] = longer
    else lines.push(text)
  }
  return lines
}

module.exports = jsonText
