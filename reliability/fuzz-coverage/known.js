'use strict'

// The differences that a script may show, as narrow as they can be said of the
// script and the outcomes of both packages. Each follows from a section of
// docs/differences.md, or from body-parser's own crash.

const READING = ['charset.unsupported', 'entity.too.large', 'request.aborted', 'request.size.invalid', 'stream.encoding.set', 'stream.not.readable']
const QUIET = ['push', 'tick', 'microtask', 'turn', 'end']
const LATER = ['tick', 'microtask', 'turn'] // records of the state after `next`

const callsIn = ({ records }) => records.filter(([kind]) => kind === 'next')
const has = ({ steps }, act) => steps.some((step) => step.act === act)

/** Whether a parser failed to read the request, and drained it. */
function isDrained (outcome) {
  return callsIn(outcome).some(([, error]) => READING.includes(error?.type))
}

/** Whether the request is paused when a parser is called. */
function isPausedBefore ({ steps }) {
  const acts = steps.map(({ act }) => act)
  return acts.some((act, at) => act === 'parse' && acts.lastIndexOf('pause', at) > acts.lastIndexOf('resume', at))
}

/** Whether all errors of body-parser are reported as well. */
function hasErrorsOf (ours, theirs) {
  const types = (outcome) => callsIn(outcome).map(([, error]) => error?.type)
  return types(theirs).every((type) => types(ours).includes(type))
}

/** @type {{ section: string | null, explains: (ours: object, theirs: object, script: object) => boolean }[]} */
const RULES = [
  {
    section: 'Paused requests',
    explains: (ours, theirs, script) => isPausedBefore(script) && ours.calls >= theirs.calls
  },
  { // paused, or taken from with read(), while it is drained: this package goes on
    section: 'Draining after an error',
    explains: (ours, theirs, script) => (has(script, 'pause') || has(script, 'read')) && isDrained(ours) && hasErrorsOf(ours, theirs) && ours.calls >= theirs.calls
  },
  { // read by a second parser while it is drained: which chunks that one gets differs
    section: 'Draining after an error',
    explains: (ours, theirs) => ours.parses > 1 && isDrained(ours) && isDrained(theirs) && ours.calls === theirs.calls
  },
  { // body-parser joins strings as if they were Buffers
    section: null,
    explains: (ours, theirs, script) => theirs.crash !== null && ours.crash === null && has(script, 'setEncoding')
  }
]

/**
 * @param {object} ours
 * @param {object} theirs
 * @param {ReturnType<import('./script').readScript>} script
 */
function isKnown (ours, theirs, script) {
  return RULES.some(({ explains }) => explains(ours, theirs, script))
}

/**
 * The outcomes without what is known to differ, so that the rest can be
 * compared.
 *
 * @returns {object[]}
 */
function withoutKnown (ours, theirs, script) {
  const both = [ours, theirs]
  if (both.every(isDrained)) return both.map(isUndisturbed(script) ? withoutDraining : callsOnly)
  return isDestroyedByApp(script) ? both.map(withoutMoments) : both
}

/** Whether after the call of the parser, the body arrives to its end, and nothing else happens. */
function isUndisturbed (script) {
  const later = script.steps.slice(script.steps.findIndex(({ act }) => act === 'parse') + 1)
  return later.every(({ act }) => QUIET.includes(act)) && has(script, 'end')
}

/**
 * This package listens to the request while it drains it, so that a method `on`
 * shows that, the request is never `readable`, and chunks may come before
 * `resume`.
 */
function withoutDraining ({ records, ...outcome }) {
  return { ...outcome, records: records.filter(([kind, name]) => !['on', ...LATER].includes(kind) && name !== 'readable' && name !== 'resume') }
}

function callsOnly (outcome) {
  return withoutMoments({ ...outcome, records: callsIn(outcome) })
}

/** Whether the app destroys the request after the parser was called. */
function isDestroyedByApp ({ steps }) {
  return steps.findLastIndex(({ act }) => act === 'destroy') > steps.findIndex(({ act }) => act === 'parse')
}

/**
 * Without the order of `next` among the events, and the state of the request
 * then: body-parser awaits the end of the connection, this package that of the
 * request.
 */
function withoutMoments ({ records, ...outcome }) {
  const events = records.filter(([kind]) => kind !== 'next' && !LATER.includes(kind))
  const calls = callsIn({ records }).map(([kind, error, body]) => [kind, error, body])
  const text = (call) => JSON.stringify(call)
  return { ...outcome, records: [...events, ...calls.sort((one, other) => text(one) < text(other) ? -1 : 1)] }
}

module.exports = { isKnown, withoutKnown, RULES }
