'use strict'

/**
 * Calls a middleware, and watches what it does with `next`.
 *
 * @param {(next: Function) => unknown} call calls it
 * @param {{ next?: number, immediate?: boolean }} seen gets how often `next` was called, and whether within `call`
 * @param {(...args: unknown[]) => void} proceed is called with the arguments of the first time
 * @returns {unknown} what the middleware returns
 */
function watchNext (call, seen, proceed) {
  let isCalling = true
  seen.next = 0
  try {
    return call((...args) => {
      if (++seen.next > 1) return
      seen.immediate = isCalling
      proceed(...args)
    })
  } finally {
    isCalling = false
  }
}

/** @returns {() => string[]} gives the listeners that were added from now on, and are left */
function watchListeners (emitter) {
  const listenersOf = (event) => emitter.listeners(event).map((listener) => ({ event, listener }))
  const all = () => emitter.eventNames().flatMap(listenersOf)
  const before = all()
  return () => all().filter(({ listener }) => !before.some((other) => other.listener === listener))
    .map(({ event, listener }) => `${String(event)}: ${listener.name}`)
}

module.exports = { watchListeners, watchNext }
