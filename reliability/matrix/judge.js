'use strict'

// What must hold for every cell.

const { isDeepStrictEqual } = require('node:util')
const { behaviours } = require('./behaviours')
const lanes = require('./lanes')
const { differences } = require('./oracle')
const { describe } = require('./watched')

/**
 * @typedef {'at once' | 'when the client had left' | 'when the connection was closed' | null} End
 *   when the cell had settled; null if it never did
 */

/**
 * @param {import('./cells').Cell} cell
 * @param {object} seen what Exchange#observe returns, and its `end`
 * @param {object | null} expected the same of body-parser, where it has such a lane
 * @returns {string[]} what is wrong
 */
function judge (cell, seen, expected) {
  if (lanes[cell.lane].isGiven) return [...ownFaults(cell, seen), ...appFaults(cell, seen)]
  if (isLost(cell, seen)) return []
  const faults = [...ownFaults(cell, seen), ...outcomeFaultsOf(cell, seen)]
  return isRight(cell, seen, expected) ? [...faults, ...differences(cell, summary(seen), summary(expected))] : faults
}

/** Whether body-parser has met the act as well, which chunks that arrive together may prevent, and is not at fault. */
function isRight (cell, seen, expected) {
  if (expected === null || seen.acted !== expected.acted) return false
  return ownFaults(cell, { ...expected, calls: expected.calls.map((call) => ({ ...call, within: [] })) }).length === 0
}

/** What is compared. */
const summary = ({ answer, calls, faults, uncaught }) =>
  ({ call: calls.map(resultOf).join(), isEarly: calls[0]?.isEarly, answer, uncaught, faults })

/**
 * Whose `next` is never called, as with body-parser. Node forgets a request of HTTP/1 that is answered before its body
 * has arrived, unless a budget or a timeout ends it; a listener that throws at the end keeps later ones from it.
 */
function isLost ({ lane, step, act, http }, { calls }) {
  if (calls.length > 0) return false
  if (act === 'res.end()') return http === 1 && lane === 'parsing body that is not all sent'
  return act === 'throw' && step === 'on end, before ours' && lanes[lane].coding !== null
}

function ownFaults (cell, { calls, faults, left, uncaught }) {
  const { hasNext } = lanes[cell.lane]
  const within = calls.flatMap(({ within }) => within)
  const strange = uncaught.filter((error) => error !== 'OF_THE_ACT' && !isOfNode(cell, error))
  return [
    calls.length !== 1 && (hasNext || calls.length > 1) &&
      [`next is called ${calls.length} times`, ...calls.map(resultOf)].join(', '),
    within.length > 0 && !isPretended(cell) && `next is called within ${within.join(', ')}`,
    strange.length > 0 && `uncaught: ${strange.join(', ')}`,
    ...(cell.step === 'in next' ? [] : faults),
    ...left.map((what) => `left: ${what}`)
  ].filter(Boolean)
}

/** Node 20 and 24: the listener of Readable.toWeb throws for chunks behind the end of its stream, and for text. */
const isOfNode = ({ act, lane }, error) => lane.startsWith('parsing web') &&
  (error === 'ERR_INVALID_STATE' || (error === 'ERR_INVALID_ARG_VALUE' && act.includes('Encoding')))

/** An 'aborted' that other code emits once the body is complete ends nothing. */
const isPretended = ({ step, act }) => act === "req.emit('aborted')" && step.startsWith('on end')

/** What `next` was called with, in few words. */
function resultOf ({ body, error: [error, ...rest] }) {
  if (error !== undefined || rest.length > 0) return `${error?.status ?? ''} ${describe(error)}`.trim()
  if (body === undefined) return 'no body'
  const text = Buffer.isBuffer(body) ? body.toString('latin1') : JSON.stringify(body)
  return text.length > 100 ? `${text.slice(0, 20)}...${text.length}` : text
}

/** The whole body, or an error that tells what it is; nothing of a request that ended before. */
function outcomeFaultsOf ({ act, lane, step }, { calls: [call] }) {
  if (call === undefined) return []
  const { expected, isChunked, isRefused = false, isWeb } = lanes[lane]
  const { body, error } = call
  const isFailed = error.length > 0 && error[0] !== undefined
  // A listener that throws keeps a chunk from later ones; Node discards what nobody reads of an answered request.
  const hasHole = isChunked && (act === 'throw' || (act === 'res.end()' && isWeb))
  const hasEnded = step === 'before the parser' // so there may be nothing, nor a Request
  const isRight = isFailed
    ? hasEnded || error[0].status < 500 || (error[0].type ?? error[0].code) !== undefined
    : (hasEnded && body === undefined) || expected === undefined || isSame(body, expected) || hasHole
  return isRight && (act !== 'nothing' || isFailed === isRefused) ? [] : [`next gets ${resultOf(call)}`]
}

/** The app has read exactly what was sent, or it got an error, or it chose to stop. */
function appFaults (cell, seen) {
  const lane = lanes[cell.lane]
  const act = lane.acts[cell.act]
  const client = behaviours[cell.client]
  const isServed = client.isWhole && !client.leaves && seen.end !== null && !mayBeCut(act, lane)
  return [
    ...endFaults(act, client, seen),
    ...contentFaults(lane, seen),
    ...isServed ? outcomeFaults(act, lane, seen) : [],
    ...client.isWhole ? [] : cutFaults(lane, seen)
  ].filter(Boolean)
}

/** Everything settles. An act that hangs is ended by a timeout, or when the client leaves. */
function endFaults (act, client, { end, handler, readers }) {
  if (end === null) {
    return [
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
    ...wrong.map(({ label }) => `what is read of ${label} is not what was sent, without an error`),
    ...strange.map(({ label }) => `the beginning of ${label} is not what was sent`)
  ])]
}

/**
 * The rest of an answered request may be an error: over HTTP/2, the stream closes when its last byte has arrived; over
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

/** Without the prototype: that of a form's fields is null. */
const plain = (value) => typeof value === 'object' && value !== null ? { ...value } : value

module.exports = judge
