'use strict'

// What must hold for every cell: the app has read exactly what was sent, or it
// got an error, or it chose to stop.

const { isDeepStrictEqual } = require('node:util')
const behaviours = require('./behaviours')
const { describe } = require('../watched')
const lanes = require('./lanes')

/**
 * @typedef {'at once' | 'when the client had left' | 'when the connection was closed' | null} End
 *   when the cell had settled; null if it never did
 *
 * @param {import('./cells').Cell} cell
 * @param {object} seen what Exchange#observe returns
 * @param {End} end
 * @param {string[]} left what is left behind
 * @returns {string[]} what is wrong
 */
function judge (cell, seen, end, left) {
  const lane = lanes[cell.lane]
  const act = lane.acts[cell.act]
  const client = behaviours[cell.client]
  const isServed = client.isWhole && !client.leaves && end !== null && !mayBeCut(act, lane)
  return [
    ...endFaults(act, client, lane, seen, end),
    ...seen.calls.flatMap(({ within }) => within.map((call) => `next is called within ${call}`)),
    ...seen.faults,
    ...seen.uncaught.map((error) => `uncaught: ${error}`),
    ...contentFaults(lane, seen),
    ...isServed ? outcomeFaults(act, lane, seen) : [],
    ...client.isWhole ? [] : cutFaults(lane, seen),
    ...left.map((what) => `left: ${what}`)
  ].filter(Boolean)
}

/** Everything settles, once. An act that hangs is ended by a timeout, or when the client leaves. */
function endFaults (act, client, lane, { calls, handler, readers }, end) {
  if (calls.length > 1) return [`next is called ${calls.length} times`]
  if (end === null) {
    return [
      lane.hasNext && calls.length === 0 && 'next is never called',
      handler?.state === 'pending' && !act.hangs && 'the handler is never done',
      readers.some(({ state }) => state === 'pending') && 'a reader waits for ever'
    ]
  }
  const isBounded = !client.leaves && (!act.hangs || client.options !== undefined)
  return isBounded && end !== 'at once' ? [`settles only ${end}`] : []
}

/** What was read is what was sent. */
function contentFaults (lane, { readers, seen }) {
  const whole = readers.filter(({ state }) => state === 'read')
  const wrong = whole.filter(({ content, label }) => !isSame(content, lane.contents[label]))
  const strange = seen.filter(({ label, some }) => some !== undefined && !isBeginning(some, lane.contents[label]))
  return [...new Set([
    ...wrong.map(({ content, label }) => `what is read of ${label} is ${describeWrong(content)}, without an error`),
    ...strange.map(({ label }) => `the beginning of ${label} is not what was sent`)
  ])]
}

/**
 * The rest of an answered request may be an error: over HTTP/2, the stream closes
 * when its last byte has arrived, also if a coded body is still to be decoded; over
 * HTTP/1, Node discards what has not arrived if nothing has asked for it yet.
 */
const mayBeCut = ({ answers }, { comesWhole }) => answers === true && comesWhole !== true

/** The client has sent everything, and waits. */
function outcomeFaults (act, lane, { answer, calls, handler, readers }) {
  const [call = null] = calls
  const failure = handler?.state === 'failed' ? [handler.error] : call?.error ?? []
  const isFailed = failure.length > 0
  const read = new Set(readers.filter(({ state }) => state === 'read').map(({ label }) => label))
  const unread = Object.keys(lane.contents).filter((label) => !read.has(label))
  const reasons = readers.filter(({ error }) => error !== null).map(({ error }) => describe(error))
  return [
    act.reads && unread.length > 0 && `${unread.join(', ')} cannot be read: ${reasons.join(', ')}`,
    act.reads && isFailed && `fails: ${describe(failure[0])}`,
    act.fails && !isFailed && 'the error of the act is lost',
    !act.reads && !act.fails && !act.hangs && call?.error.length > 0 && `next gets ${describe(call.error[0])}`,
    lane.expected !== undefined && !isFailed && !isSame(call?.body, lane.expected) && 'req.body is wrong',
    !act.hangs && answer === 'none' && 'the client gets no response'
  ]
}

/** The client has sent a part of the body: no form, and no document, is complete. */
function cutFaults (lane, { calls }) {
  const isAccepted = lane.expected !== undefined && !lane.callsEarly && calls[0]?.error.length === 0
  return isAccepted ? ['next gets no error, although the body is cut'] : []
}

function isSame (content, expected) {
  if (Buffer.isBuffer(expected)) return isBytes(content) && expected.equals(Buffer.from(content))
  if (Array.isArray(expected)) return isDeepStrictEqual(content.flat(), expected)
  return isDeepStrictEqual(plain(content), expected)
}

function isBeginning (some, expected) {
  if (Buffer.isBuffer(expected)) return Buffer.from(some).equals(expected.subarray(0, some.length))
  if (Array.isArray(expected)) return isDeepStrictEqual([some].flat(), expected.slice(0, [some].flat().length))
  return true // a part
}

const isBytes = (content) => ArrayBuffer.isView(content) || content instanceof ArrayBuffer

const describeWrong = (content) => (content?.byteLength ?? content?.length) === 0 ? 'empty' : 'not what was sent'

/** Without the prototype: that of a form's fields is null. */
const plain = (value) => typeof value === 'object' && value !== null ? { ...value } : value

module.exports = judge
