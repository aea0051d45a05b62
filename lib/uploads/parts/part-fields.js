'use strict'

// All fields of the header of a part, for the loop over the parts.

const { readFields } = require('./fields')
const { CONTROL } = require('./rules')

/**
 * @param {string} text the header, without the CRLF that ends it
 * @param {(type: string) => never} fail throws an error of this type
 * @returns {Record<string, string>} without a prototype; names in lower case. The values of a name that occurs more
 *   than once are joined by `, `, as those of a request are (RFC 9110, section 5.3)
 */
module.exports = function partFields (text, fail) {
  const fields = Object.create(null)
  for (const [name, value] of readFields(text, CONTROL, fail)) {
    fields[name] = name in fields ? `${fields[name]}, ${value}` : value
  }
  return fields
}
