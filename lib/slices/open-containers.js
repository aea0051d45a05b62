'use strict'

const define = require('../engine/define')
const PagedStack = require('./paged-stack')

const SHORT_RUN = 64 // children; faster to push than to concatenate later

/**
 * The arrays and objects that are open at the place where the parser is. Their
 * children come in runs, each of which JSON.parse has made of several children
 * at once, or one by one, if a child was an open container itself.
 */
class OpenContainers {
  constructor () {
    this.depth = 0
    this.outer = new PagedStack()
    // An open array (see below) or an OpenObject; at depth 0, an open array for the value of the text.
    this.innermost = null
    this.isEmpty = true // the innermost container has no child yet
  }

  /** Whether the innermost container is an object. */
  get inObject () {
    return this.innermost instanceof OpenObject
  }

  /**
   * Opens a container in the innermost one.
   *
   * @param {boolean} isArray
   * @param {string | null} name of the new container in an object
   */
  open (isArray, name) {
    this.setName(name)
    this.outer.push(this.innermost)
    this.innermost = isArray ? null : new OpenObject()
    this.depth++
    this.isEmpty = true
  }

  /** @param {string | null} name of the next child that `add` adds to an object */
  setName (name) {
    if (name !== null) this.innermost.nextName = name
  }

  /** Closes the innermost container and adds it to the one around it. */
  close () {
    const value = toValue(this.innermost)
    this.innermost = this.outer.pop()
    this.depth--
    this.add(value)
  }

  /** @param {any} value a child; in an object, it gets the name set last */
  add (value) {
    if (this.inObject) this.innermost.add(value)
    else this.innermost = appendRun(this.innermost, [value])
    this.isEmpty = false
  }

  /**
   * @param {any[] | object} run children, in an array or object that nothing
   *   else refers to: it may become the container itself
   */
  addRun (run) {
    if (this.inObject) this.innermost.addRun(run)
    else this.innermost = appendRun(this.innermost, run)
    this.isEmpty = false
  }

  /** @returns {any} the value of the text, at depth 0 */
  result () {
    return toValue(this.innermost)[0]
  }
}

// An open array is null while it is empty, then an array that may become its
// value, or Runs to be concatenated when it closes. Each of these is as small
// as possible, as a text can open a hundred million arrays.

function appendRun (openArray, run) {
  if (openArray === null) return run
  if (openArray instanceof Runs) return openArray.add(run)
  if (run.length > SHORT_RUN) return new Runs(openArray).add(run)
  append(openArray, run)
  return openArray
}

function toValue (open) {
  if (open === null) return []
  return open instanceof Runs || open instanceof OpenObject ? open.toValue() : open
}

function append (array, run) {
  for (const child of run) define(array, array.length, child)
}

class Runs {
  constructor (run) {
    this.list = [run]
  }

  add (run) {
    if (run.length > SHORT_RUN) this.list.push(run)
    else append(this.list.at(-1), run)
    return this
  }

  toValue () {
    return concat(this.list)
  }
}

const MAX_ARGUMENTS = 10_000 // the engine's stack overflows at about ten times as many

/**
 * One concatenation is cheaper than a push for each element. Small chunks make
 * more runs than a call can take as arguments.
 */
function concat (runs) {
  if (runs.length <= MAX_ARGUMENTS) return Array.prototype.concat.apply([], runs)
  const joined = []
  for (let at = 0; at < runs.length; at += MAX_ARGUMENTS) joined.push(concat(runs.slice(at, at + MAX_ARGUMENTS)))
  return concat(joined)
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

  toValue () {
    return this.value ?? {}
  }
}

module.exports = OpenContainers
