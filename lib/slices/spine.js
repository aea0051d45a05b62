'use strict'

// Containers that are still open where a piece of the text ends. What is in
// them comes as runs, which JSON.parse made of many children at a time, and as
// single children, which were such open containers themselves.

class OpenArray {
  /** @param {string | null} key of this container in the one that holds it */
  constructor (key) {
    this.key = key
    this.runs = null
    this.last = null // gathers single children
  }

  addRun (run) {
    this.gather()
    if (this.runs === null) this.runs = [run]
    else this.runs.push(run)
  }

  add (key, value) {
    if (this.last === null) this.last = [value]
    else this.last.push(value)
  }

  gather () {
    const { last } = this
    this.last = null
    if (last !== null) this.addRun(last)
  }

  /** To join runs once is far cheaper than to push each element (bench: "slices, numbers"). */
  close () {
    if (this.runs === null) return this.last ?? []
    this.gather()
    return this.runs.length === 1 ? this.runs[0] : joinRuns(this.runs)
  }
}

const MANY = 10_000 // the engine's stack has no room for ten times as many arguments

/** Small chunks make many runs. */
function joinRuns (runs) {
  if (runs.length <= MANY) return Array.prototype.concat.apply([], runs)
  const joined = []
  for (let at = 0; at < runs.length; at += MANY) joined.push(joinRuns(runs.slice(at, at + MANY)))
  return joinRuns(joined)
}

class OpenObject {
  constructor (key) {
    this.key = key
    this.node = null
  }

  addRun (run) {
    if (this.node === null) this.node = run
    else for (const key of Object.keys(run)) define(this.node, key, run[key])
  }

  add (key, value) {
    this.node ??= {}
    define(this.node, key, value)
  }

  close () {
    return this.node ?? {}
  }
}

/** Like JSON.parse, whatever is on Object.prototype: `__proto__`, setters, what is frozen. */
function define (object, key, value) {
  if (key in Object.prototype) {
    Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true })
  } else {
    object[key] = value
  }
}

module.exports = { OpenArray, OpenObject }
