'use strict'

/** No character at all; and no lone surrogate, which Deno replaces in stacks. */
function absentFrom (text) {
  let code = 0xFFFF
  while (text.includes(String.fromCharCode(code))) code--
  return String.fromCharCode(code)
}

module.exports = absentFrom
