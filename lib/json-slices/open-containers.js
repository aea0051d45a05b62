'use strict'

const define = require('../json-keys/define')

/**
 * The arrays and objects that are not closed yet. JSON.parse makes several of
 * their children at once, which is a run; a child that was an open container
 * itself is added alone.
 */
class OpenContainers {
  constructor () {
    this.depth = 0
    // An OpenObject, or the runs of an open array (see below). At depth 0, the runs of an array for the whole value.
    this.innermost = null
    this.outer = null // a linked list of those around it: an array of millions would be copied whenever it grows
  }

  /** Whether the innermost container is an object. */
  get inObject () {
    return this.innermost instanceof OpenObject
  }

  /** Whether the innermost container has no child yet. */
  get isEmpty () {
    return (this.inObject ? this.innermost.value : this.innermost) === null
  }

  /**
   * Opens a container in the innermost one.
   *
   * @param {boolean} isArray
   * @param {string | null} name of the new container in an object
   */
  open (isArray, name) {
    this.setName(name)
    this.outer = { container: this.innermost, next: this.outer }
    this.innermost = isArray ? null : new OpenObject()
    this.depth++
  }

  /** @param {string | null} name of the next child that `add` adds to an object */
  setName (name) {
    if (name !== null) this.innermost.nextName = name
  }

  /** Closes the innermost container and adds it to the one around it. */
  close () {
    const value = this.inObject ? this.innermost.value ?? {} : toArray(this.innermost)
    this.innermost = this.outer.container
    this.outer = this.outer.next
    this.depth--
    this.add(value)
  }

  /** @param {any} value a child; in an object, it gets the name set last */
  add (value) {
    if (this.inObject) this.innermost.add(value)
    else this.innermost = appendRun(this.innermost, [value])
  }

  /**
   * @param {any[] | object} run children, in an array or object that nothing
   *   else refers to: it may become the container itself
   */
  addRun (run) {
    if (this.inObject) this.innermost.addRun(run)
    else this.innermost = appendRun(this.innermost, run)
  }

  /** @returns {any} the value of the text, at depth 0 */
  result () {
    return toArray(this.innermost)[0]
  }
}

class OpenObject {
  constructor () {
    this.value = null
    this.nextName = null // of the child that is added next
  }

  addRun (run) {
    if (this.value === null) this.value = run
    else for (const name of Object.keys(run)) define(this.value, name, run[name])
  }

  add (child) {
    this.value ??= {}
    define(this.value, this.nextName, child)
  }
}

// An open array is null while it is empty, as a text can open a hundred million
// arrays, then a list of runs, which are concatenated when it closes.

const SHORT_RUN = 64 // children; faster to push than to concatenate later
const MAX_ARGUMENTS = 10_000 // the engine's stack overflows at about ten times as many

function appendRun (runs, run) {
  if (runs === null) return [run]
  const last = runs.at(-1)
  if (run.length > SHORT_RUN) runs.push(run)
  else for (const child of run) define(last, last.length, child)
  return runs
}

/** Small chunks make more runs than a call can take as arguments. */
function toArray (runs) {
  if (runs === null) return []
  if (runs.length === 1) return runs[0]
  const joined = []
  for (let at = 0; at < runs.length; at += MAX_ARGUMENTS) joined.push([].concat(...runs.slice(at, at + MAX_ARGUMENTS)))
  return toArray(joined)
}

module.exports = OpenContainers
