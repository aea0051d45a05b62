'use strict'

// How often each point of the instrumented code was reached: a statement, the
// entry of a function, or a side of a branch, even one without code.

const CAPACITY = 16384 // points; lib/ has some 2,000

/**
 * Replaces the counters of istanbul's instrumented code: all of them are in one
 * array, which is read and cleared at once.
 *
 * @param {string} variable the global that the code looks for
 */
function createCounters (variable) {
  const counts = new Uint32Array(CAPACITY)
  let used = 0

  const reserve = (length) => {
    if (used + length > CAPACITY) throw new Error(`more than ${CAPACITY} points are instrumented`)
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
