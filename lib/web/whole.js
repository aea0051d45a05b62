'use strict'

// A Request's content in one piece. That saves the stream that `request.body`
// would make, which costs more than all else of a small body. But only a server
// bounds the piece: its content is as long as its Content-Length says. So the
// server has to be known; anything else is read by chunks.

const errors = require('../core/errors')
const { isOfClient } = require('../core/platform')
const { isUnread } = require('../core/request/claims')
const { messageOf, servesRequests } = require('./node')

const { Request } = globalThis
const MARK = '\uFEFF'
const MARK_SIZE = 3 // bytes, in UTF-8
const REPLACED = /\uFFFD/g

/** Whether it is a server's: the runtime's, or Node's. A class of the app's may read whatever it likes. */
function isServed (request) {
  return isPlain(request) ? servesRequests : typeof messageOf(request)?.complete === 'boolean'
}

/** Whether it gives its content as the runtime's class does. */
function isPlain (request) {
  const own = Request?.prototype
  if (request.text !== own?.text || request.arrayBuffer !== own?.arrayBuffer) return false
  let type = Object.getPrototypeOf(request)
  while (type !== null && type !== own && !Object.hasOwn(type, 'body')) type = Object.getPrototypeOf(type)
  return type === own
}

/** @returns {import('node:http').IncomingMessage | null} Node's, if nobody has begun to read it; asks for no stream */
function unreadMessageOf (request) {
  const message = servesRequests ? undefined : messageOf(request)
  return message !== undefined && isServed(request) && isUnread(message) ? message : null
}

/** Whether other code has read the body, or reads it: to ask for `bodyUsed` may begin a stream of it. */
const isUsed = (request) => unreadMessageOf(request) === null && request.bodyUsed

/** Whether a server sees to it that the content is as long as is declared. */
function isBounded (request, length) {
  if (!isServed(request)) return false
  return Number(messageOf(request)?.headers['content-length'] ?? length) === length
}

/** That of srvx makes another Request for `arrayBuffer()`, and its stream: its own stream takes half as long. */
const hasFastBytes = (request) => !('_request' in request)

/**
 * Of a Request for which `isBounded`. A text is given without its byte order mark.
 *
 * @param {import('./read').Reading} reading fails if the content does not come whole
 * @param {number | null} length declared bytes of the content; null if it is coded, of which nobody wants a text
 * @param {(whole: string | Uint8Array) => void} onWhole
 */
function takeWhole (reading, length, onWhole) {
  const { interruption, request } = reading
  const isText = length !== null && reading.wantsText
  const check = isText ? checkText : checkBytes
  interruption.length = length
  interruption.waitLate(
    isText ? request.text() : request.arrayBuffer(),
    (whole) => {
      const checked = check(request, whole, length)
      interruption.whole = length ?? checked.length
      onWhole(checked)
    },
    (error) => reading.fail(error),
    (error) => faultOf(request, error, length)
  )
}

/** What the server's rejection means. */
function faultOf (request, error, length) {
  if (request.signal?.aborted || isOfClient(error)) return errors.aborted(length, 0)
  const isUnread = !request.bodyUsed || /\blocked\b/.test(error?.message) // srvx says of a locked one that it is used
  return isUnread ? errors.notReadable() : errors.unreadable(error)
}

/** `text()` of most removes a byte order mark, so a text does not tell whether one came or its 3 bytes are missing. */
function checkText (request, text, length) {
  const size = globalThis.Buffer.byteLength(text)
  if (mayBe(text, size, length)) {
    // Where U+FFFD hides whether it is of the text, only srvx is known to keep it.
    const isMark = text.startsWith(MARK) && (!hasFastBytes(request) || !mayBe(text, size + MARK_SIZE, length))
    return isMark ? text.slice(MARK.length) : text
  }
  if (!mayBe(text, size + MARK_SIZE, length)) refuseOther(request, size, length)
  return text
}

/** Whether a text of this size may be of so many bytes. Of malformed UTF-8, U+FFFD stands for 1 to 3 of them. */
function mayBe (text, size, length) {
  return size === length || (length < size && length >= size - 2 * (text.match(REPLACED)?.length ?? 0))
}

function checkBytes (request, buffer, length) {
  const bytes = new Uint8Array(buffer)
  if (length !== null && bytes.length !== length) refuseOther(request, bytes.length, length)
  return bytes
}

/** A Request without a body, as that of a GET, may have the field all the same. */
function refuseOther (request, size, length) {
  if (size > 0 || request.body !== null) throw errors.lengthMismatch(length, size)
}

module.exports = { hasFastBytes, isBounded, isServed, isUsed, takeWhole, unreadMessageOf }
