'use strict'

// V8 of Node 24 (13.6) and 26 (14.6) takes one name for another: after
// `{"a":1,"b\\":2}` it expects the name `b\` there, and finds it in the source
// of `{"a":1,"b\n":2}`, whose name is as long. Node 20 does not.

const ESCAPED_NAME = /"(?:[^"\\]*\\.)+[^"\\]*"[ \t\n\r]*:/s

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
