'use strict'

// All fields of the header of a part, for the loop over the parts.

const { FOLD, LINE } = require('./header')

/**
 * @param {string} text the header, of lines that are fields, without the CRLF that ends it
 * @returns {Record<string, string>} without a prototype; names in lower case. The values of a name that occurs more
 *   than once are joined by `, `, as those of a request are (RFC 9110, section 5.3)
 */
module.exports = function partFields (text) {
  const fields = Object.create(null)
  const lines = text === '' ? [] : text.replace(FOLD, '').split('\r\n')
  for (const line of lines) {
    const [, name, value = ''] = LINE.exec(line)
    const key = name.toLowerCase()
    fields[key] = key in fields ? `${fields[key]}, ${value}` : value
  }
  return fields
}
