'use strict'

// V8 of Node 24 (13.6) and 26 (14.6) takes one name for another: after
// `{"a":1,"\\":2}`, it finds the name `\` wherever it expects that, and the
// name there is one escaped character. Node 20 does not.

const ESCAPED_NAME = /"\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})"[ \t\n\r]*:/

/** Whether this engine has that fault. */
function mistakesNames () {
  JSON.parse('{"not elsewhere":1,"\\\\":2}')
  return !Object.hasOwn(JSON.parse('{"not elsewhere":1,"\\u0041":2}'), 'A')
}

/** Whether it may have misread this text, or a part of it. */
function mayMistake (text) {
  return ESCAPED_NAME.test(text)
}

module.exports = { mayMistake, mistakesNames }
