'use strict'

// The fields in the header of a part, and the parameters of one. `multipart()` and multer take different characters
// and parameters, so each hands over its own pattern.

// A name, and a value without the blanks around it, of any length in linear
// time. Not of all white space, as text may be bytes of UTF-8.
const LINE = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([^]*[^ \t])?[ \t]*$/
const FOLD = /\r\n(?=[ \t])/g // RFC 5322, section 2.2.3: mailers write long fields in several lines
// Clients write up to 5. Reading one takes as long as reading 100 bytes, and it may have 4.
const MAX_LINES = 32
const MAX_PARAMETERS = 16 // also without a name, between two semicolons
const TOO_MANY_LINES = `: more than ${MAX_LINES} lines`
const TOO_MANY_PARAMETERS = `: more than ${MAX_PARAMETERS} parameters`

/**
 * @param {string} text the header, without the CRLF that ends it
 * @param {RegExp} forbidden characters
 * @param {(type: string, detail?: string) => never} fail throws an error of this type
 * @yields {[name: string, value: string]} one after the other, so that the first fault counts; names in lower case
 */
function * readFields (text, forbidden, fail) {
  const lines = text === '' ? [] : text.split('\r\n', MAX_LINES + 1)
  if (lines.length > MAX_LINES) fail('header.invalid', TOO_MANY_LINES)
  for (const line of lines) {
    if (forbidden.test(line)) fail('header.control')
    const [, name, value = ''] = LINE.exec(line) ?? fail('header.invalid')
    yield [name.toLowerCase(), value]
  }
}

/**
 * @param {string} value of a field
 * @param {number} start index in it, of what follows the first word
 * @param {RegExp} pattern of one parameter; sticky
 * @param {(detail?: string) => null} fail for a value that is malformed, or has too many; throws, or null is yielded
 * @yields {RegExpExecArray | null} one after the other, so that the first fault counts
 */
function * readParameters (value, start, pattern, fail) {
  let at = start
  for (let count = 1; at < value.length; count++) {
    pattern.lastIndex = at
    const match = count > MAX_PARAMETERS ? fail(TOO_MANY_PARAMETERS) : pattern.exec(value) ?? fail()
    at = pattern.lastIndex
    yield match
  }
}

module.exports = { FOLD, MAX_LINES, MAX_PARAMETERS, TOO_MANY_PARAMETERS, readFields, readParameters }
