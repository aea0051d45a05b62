'use strict'

// Takes the content of a Request in one piece, by `text()` or `arrayBuffer()`: for
// a small body, the stream that `request.body` creates takes longer than all the
// rest. These methods have no limit. Only a server guarantees that the content is
// as long as its Content-Length says, so all other Requests are read by chunks.

const errors = require('../core/errors')
const { isOfClient } = require('../core/platform')
const { isUnread } = require('../core/request/claims')
const { messageOf, servesRequests } = require('./node')

const { Request } = globalThis
const MARK = '\uFEFF'
const MARK_SIZE = 3 // bytes, in UTF-8
const REPLACED = /\uFFFD/g

/**
 * Whether a server of the runtime has made it. A class of the app's may return content of any length. What Bun's server
 * makes for its `routes` is of a class that JavaScript has no name for.
 */
const isOfRuntime = (request) => servesRequests &&
  (Object.getPrototypeOf(request) === Request.prototype || request[Symbol.toStringTag] === 'BunRequest')

/** Whether a server of the runtime, or of Node, has made it. */
const isServed = (request) => isOfRuntime(request) || isMessage(messageOf(request))

const isMessage = (message) => typeof message?.complete === 'boolean'

/** @returns {import('node:http').IncomingMessage | null} Node's, if nobody has begun to read it. Does not use
 *   `request.body` and `bodyUsed`, whose getters may create a stream */
function unreadMessageOf (request) {
  const message = servesRequests ? undefined : messageOf(request)
  return message !== undefined && isServed(request) && isUnread(message) ? message : null
}

/** Whether other code has read the body, or is reading it. `bodyUsed` is asked last: its getter may create a stream. */
const isUsed = (request) => unreadMessageOf(request) === null && request.bodyUsed

/** Whether a server sees to it that the content is as long as is declared. */
function isBounded (request, length) {
  if (isOfRuntime(request)) return true // to look for a message takes long there
  const message = messageOf(request)
  return isMessage(message) && Number(message.headers['content-length']) === length
}

/** Whether it is of srvx, which makes another Request for `arrayBuffer()`: reading its stream is twice as fast. */
const isOfSrvx = (request) => '_request' in request

/**
 * Takes the content of a Request for which `isBounded` is true; a text without its byte order mark.
 *
 * @param {import('./read').Reading} reading fails if the content does not come whole
 * @param {number | null} length declared bytes of the content; null if it has a content coding: it is always bytes then
 * @param {(whole: string | Uint8Array) => void} onWhole
 */
function takeWhole (reading, length, onWhole) {
  const { interruption, request } = reading
  const isText = length !== null && reading.wantsText
  const check = isText ? checkText : checkBytes
  const fail = (error) => reading.fail(error)
  const take = (whole) => {
    if (interruption.fault !== null) return
    interruption.isAwaited = false
    try {
      const checked = check(request, whole, length)
      interruption.whole = length ?? checked.length
      onWhole(checked)
    } catch (error) {
      fail(error)
    }
  }
  interruption.length = length
  interruption.listenLate()
  interruption.onFail(fail)
  const whole = isText ? request.text() : request.arrayBuffer()
  whole.then(take, (error) => fail(faultOf(request, error, length)))
}

/** What the server's rejection means. */
function faultOf (request, error, length) {
  if (request.signal?.aborted || isOfClient(error)) return errors.aborted(length, 0)
  const isUnread = !request.bodyUsed || /\blocked\b/.test(error?.message) // srvx reports `bodyUsed` for a locked body
  return isUnread ? errors.notReadable() : errors.unreadable(error)
}

/**
 * Accepts a text that is 3 bytes shorter than declared: `text()` of most runtimes removes a byte order mark.
 *
 * @throws {Error} if the length is not the one that was declared
 */
function checkText (request, text, length) {
  const size = globalThis.Buffer.byteLength(text)
  if (fitsLength(text, size, length)) {
    // U+FFFD makes the size ambiguous: a mark before this U+FEFF may be gone. Only srvx is known to keep it.
    const isMark = text.startsWith(MARK) && (isOfSrvx(request) || !fitsLength(text, size + MARK_SIZE, length))
    return isMark ? text.slice(MARK.length) : text
  }
  if (!fitsLength(text, size + MARK_SIZE, length)) refuseLength(request, size, length)
  return text
}

/** Whether `length` bytes may decode to this text: U+FFFD has 3 bytes, but replaces 1 to 3 that are malformed. */
function fitsLength (text, size, length) {
  return size === length || (length < size && length >= size - 2 * (text.match(REPLACED)?.length ?? 0))
}

function checkBytes (request, buffer, length) {
  const bytes = new Uint8Array(buffer)
  if (length !== null && bytes.length !== length) refuseLength(request, bytes.length, length)
  return bytes
}

/** @throws {Error} unless there is no body: a GET may declare a length all the same */
function refuseLength (request, size, length) {
  if (size > 0 || request.body !== null) throw errors.lengthMismatch(length, size)
}

module.exports = { isBounded, isOfSrvx, isServed, isUsed, takeWhole, unreadMessageOf }
