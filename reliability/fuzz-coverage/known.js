'use strict'

// The differences that the README lists, as narrow as they can be said of a
// script and two outcomes.

const { isDeepStrictEqual } = require('node:util')

/** What happens once the parser was called; and of that, before a turn has passed. */
function since (script) {
  const acts = script.steps.map(({ act }) => act)
  const later = acts.slice(acts.indexOf('parse') + 1)
  const turn = later.indexOf('turn')
  return { later, atOnce: turn === -1 ? later : later.slice(0, turn) }
}

const DESTROYING = ['destroy', 'reset']
const NEWS = ['parse', 'push', 'unshift', 'end', 'resume']
const includesOf = (acts, some) => some.some((act) => acts.includes(act))
const isAborted = ({ calls, error }) => calls === 1 && error?.type === 'request.aborted'
const has = ({ steps }, name) => steps.some(({ act }) => act === name)
const sorted = (body) => [...String(body)].sort().join('')
const isOpen = (script) => !has(script, 'end')

function sameButReceived (ours, theirs) {
  return isDeepStrictEqual({ ...ours, error: { ...ours.error, received: theirs.error.received } }, { ...theirs, left: false })
}

/** Is the request destroyed in a turn in which something of it came, or the parser? */
function isDestroyedWithNews ({ steps }) {
  let hasNews = false
  for (const { act } of steps) {
    if (act === 'turn') hasNews = false
    else if (NEWS.includes(act)) hasNews = true
    else if (hasNews && DESTROYING.includes(act)) return true
  }
  return false
}

/** Does the request hold more than it declares? Over a connection it cannot. */
function exceedsItself ({ headers, steps }) {
  const pushed = steps.reduce((sum, { piece }) => sum + (piece?.length ?? 0), 0)
  return pushed > Number(headers['content-length'])
}

/** @type {{ line: string, explains: (ours: object, theirs: object, script: object) => boolean }[]} with how the README's line begins, if it has one */
const RULES = [
  {
    line: 'A request that user code destroys in the turn',
    explains: (ours, theirs, script) => isAborted(ours) && theirs.calls === 1 && includesOf(since(script).atOnce, DESTROYING)
  },
  {
    line: 'A request that is destroyed, or closes, before its end',
    explains: (ours, theirs, script) => isAborted(ours) && theirs.calls === 0 &&
      (isOpen(script) || includesOf(script.steps.map(({ act }) => act), DESTROYING))
  },
  {
    line: 'A request that was paused is resumed',
    explains: (ours, theirs, script) => ours.calls === 1 && (theirs.calls === 0 || isAborted(theirs)) && has(script, 'pause')
  },
  {
    line: 'A request that was paused is resumed', // so bytes that are put back come later
    explains: (ours, theirs, script) => has(script, 'pause') && has(script, 'unshift') && sorted(ours.body) === sorted(theirs.body) &&
      isDeepStrictEqual({ ...ours, body: null }, { ...theirs, left: false, body: null })
  },
  {
    line: '`req.setEncoding` called while the body is being read',
    explains: (ours, theirs, script) => since(script).later.includes('setEncoding') &&
      ((ours.calls === 1 && ours.error?.type === 'stream.encoding.set') || theirs.crash !== null)
  },
  {
    line: 'Who begins to read a request after the parser was called',
    explains: (ours, theirs, script) => ours.calls === 1 && ours.error?.type === 'stream.not.readable' &&
      includesOf(since(script).later, ['resume', 'pause'])
  },
  {
    line: 'Who begins to read a request after the parser was called',
    explains: (ours, theirs, script) => ours.calls === 1 && theirs.calls === 1 && exceedsItself(script) &&
      includesOf(since(script).later, ['resume', 'read'])
  },
  {
    line: 'What somebody takes with `req.read()`',
    explains: (ours, theirs, script) => ours.calls === 1 && theirs.calls === 1 && since(script).later.includes('read')
  },
  {
    line: 'A request that was paused is resumed', // but not one that is paused while it is read
    explains: (ours, theirs, script) => ours.calls === 0 && theirs.calls === 1 && theirs.error === null && since(script).later.includes('pause')
  },
  {
    line: 'What somebody takes with `req.read()`', // of an empty request
    explains: (ours, theirs, { steps }) => {
      const before = steps.slice(0, steps.findIndex(({ act }) => act === 'parse')).map(({ act }) => act)
      return isAborted(ours) && theirs.calls === 1 && !isAborted(theirs) && includesOf(before, ['end']) && includesOf(before, ['read'])
    }
  },
  {
    line: 'A request that user code destroys in the turn', // or it was read all the same
    explains: (ours, theirs, script) => ours.calls === 1 && theirs.calls === 1 && isAborted(ours) !== isAborted(theirs) && isDestroyedWithNews(script)
  },
  {
    line: 'The `received` of a body over the limit may be larger', // or less, if it was paused, or bytes put back
    explains: (ours, theirs, script) => ours.error?.type === 'entity.too.large' && theirs.error?.type === 'entity.too.large' &&
      (ours.error.received > theirs.error.received || has(script, 'pause') || has(script, 'unshift')) && sameButReceived(ours, theirs)
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

module.exports = { isKnown, RULES }
