'use strict'

// The fields in the header of a part, and the parameters of one.

// A name, and a value without the blanks around it, of any length in linear
// time. Not of all white space, as text may be bytes of UTF-8.
const LINE = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([^]*[^ \t])?[ \t]*$/
const CONTROL = /[\0\r\n]/ // of those, CR and LF without the other one
const FOLDED = /\r\n[ \t]/
const FOLD = /\r\n(?=[ \t])/g // RFC 5322, section 2.2.3: mailers write long fields in several lines
// A backslash may quote what follows, but not the quote that ends the line:
// browsers write a backslash at the end of a name as it is.
const QUOTED = /"([^"\\]*(?:(?:\\(?="$)|\\[^])[^"\\]*)*)"/.source
const UNQUOTED = /([^\t\v\f ";]+)/.source
const KEY = /([!#$%&'*+.^_`|~\w-]*)/.source
const PARAMETER = new RegExp(`;[ \\t]*(?:${KEY}[ \\t]*=[ \\t]*(?:${QUOTED}|${UNQUOTED})[ \\t]*(?=;|$))?`, 'y')
// Clients write up to 5. A short line takes no less time than a long one, so without a limit a client could make
// reading a header much slower than its bytes suggest. The same goes for parameters.
const MAX_LINES = 32
const MAX_PARAMETERS = 16 // also without a name, between two semicolons
const TOO_MANY_LINES = `: more than ${MAX_LINES} lines`
const TOO_MANY_PARAMETERS = `: more than ${MAX_PARAMETERS} parameters`

/**
 * @param {string} text the header, without the CRLF that ends it
 * @param {RegExp} forbidden characters
 * @param {(type: string, detail?: string) => never} fail throws an error of this type
 * @param {(name: string, value: string) => void} take gets one after the other, so that the first fault counts; names
 *   in lower case
 */
function readFields (text, forbidden, fail, take) {
  if (text === '') return
  const lines = text.split('\r\n', MAX_LINES + 1)
  if (lines.length > MAX_LINES) fail('header.invalid', TOO_MANY_LINES)
  for (const line of FOLDED.test(text) ? text.replace(FOLD, '').split('\r\n') : lines) {
    if (forbidden.test(line)) fail('header.control')
    const [, name, value = ''] = LINE.exec(line) ?? fail('header.invalid')
    take(name.toLowerCase(), value)
  }
}

/**
 * @param {string} value of a field
 * @param {number} start index in it, of what follows the first word
 * @param {(detail?: string) => never} fail throws the error of a value that is malformed, or has too many
 * @yields {RegExpExecArray} the name, and a value in quotes or another one; so that the first fault counts
 */
function * readParameters (value, start, fail) {
  let at = start
  for (let count = 1; at < value.length; count++) {
    PARAMETER.lastIndex = at
    const match = count > MAX_PARAMETERS ? fail(TOO_MANY_PARAMETERS) : PARAMETER.exec(value) ?? fail()
    at = PARAMETER.lastIndex
    yield match
  }
}

/**
 * All fields, for a loop over the parts.
 *
 * @param {string} text the header, without the CRLF that ends it
 * @param {(type: string) => never} fail throws an error of this type
 * @returns {Record<string, string>} without a prototype; names in lower case. The values of a name that occurs more
 *   than once are joined by `, `, as those of a request are (RFC 9110, section 5.3)
 */
function partFields (text, fail) {
  const fields = Object.create(null)
  readFields(text, CONTROL, fail, (name, value) => {
    fields[name] = name in fields ? `${fields[name]}, ${value}` : value
  })
  return fields
}

module.exports = { CONTROL, MAX_PARAMETERS, TOO_MANY_PARAMETERS, partFields, readFields, readParameters }
