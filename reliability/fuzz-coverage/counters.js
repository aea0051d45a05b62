'use strict'

// How often each point of the instrumented code was passed: a statement, the
// entry of a function, a side of a branch, also the side that is not written.

const ROOM = 16384 // points; lib/ has some 1,500

/**
 * Takes over what istanbul's instrumented code counts with: all counters are
 * put side by side in one array, which is read and cleared at once.
 *
 * @param {string} variable the global that the code looks for
 */
function createCounters (variable) {
  const counts = new Uint32Array(ROOM)
  let used = 0

  const reserve = (length) => {
    if (used + length > ROOM) throw new Error(`more than ${ROOM} points are instrumented`)
    used += length
    return counts.subarray(used - length, used)
  }
  const place = (data) => ({
    ...data,
    s: reserve(Object.keys(data.s).length),
    f: reserve(Object.keys(data.f).length),
    b: Object.values(data.b).map((sides) => reserve(sides.length))
  })
  globalThis[variable] = new Proxy({}, {
    set: (files, file, data) => Reflect.set(files, file, place(data))
  })

  return {
    counts,
    get used () { return used },
    clear: () => counts.fill(0, 0, used)
  }
}

module.exports = createCounters
