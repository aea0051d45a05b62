'use strict'

// The containers that are still open where a piece of the text ends. What is
// in them comes as runs, which JSON.parse made of many children at a time, and
// as single children, which were such open containers themselves.

const FEW = 64 // children that are sooner pushed than joined

class Spine {
  constructor () {
    this.depth = 0
    this.outer = new Stack()
    this.top = null // the innermost; at depth 0, what holds the value
    this.isFirst = true // nothing has come into the innermost yet
  }

  /** Whether the innermost container is an object. */
  get hasNames () {
    return this.top instanceof OpenObject
  }

  /**
   * A container opens.
   *
   * @param {boolean} isArray
   * @param {string | null} name in an object
   */
  open (isArray, name) {
    this.expect(name)
    this.outer.push(this.top)
    this.top = isArray ? null : new OpenObject()
    this.depth++
    this.isFirst = true
  }

  /** @param {string | null} name of the child that comes next, in an object */
  expect (name) {
    if (name !== null) this.top.name = name
  }

  /** The innermost one closes, and becomes a child of the one around it. */
  close () {
    const value = valueOf(this.top)
    this.top = this.outer.pop()
    this.depth--
    this.add(value)
  }

  /** @param {any} value a child; in an object, under the name that was set */
  add (value) {
    if (this.hasNames) this.top.add(value)
    else this.top = withRun(this.top, [value])
    this.isFirst = false
  }

  /** @param {any[] | object} run children, in a container that nobody else has */
  addRun (run) {
    if (this.hasNames) this.top.addRun(run)
    else this.top = withRun(this.top, run)
    this.isFirst = false
  }

  /** @returns {any} the value of all of it */
  end () {
    return valueOf(this.top)[0]
  }
}

// An open array is null as long as it is empty, an array that can become its
// value, or the runs that will: whatever takes the least memory, as there may
// be a hundred million of them.

function withRun (array, run) {
  if (array === null) return run
  if (array instanceof Runs) return array.add(run)
  if (run.length > FEW) return new Runs(array).add(run)
  for (const child of run) array.push(child)
  return array
}

function valueOf (open) {
  if (open === null) return []
  return open instanceof Runs || open instanceof OpenObject ? open.close() : open
}

class Runs {
  constructor (run) {
    this.list = [run]
  }

  add (run) {
    if (run.length > FEW || this.list.length === 1) this.list.push(run)
    else for (const child of run) this.list.at(-1).push(child)
    return this
  }

  /** To join runs once is far cheaper than to push each element (bench: "slices, numbers"). */
  close () {
    return join(this.list)
  }
}

const MANY = 10_000 // the engine's stack has no room for ten times as many arguments

/** Small chunks make many runs. */
function join (runs) {
  if (runs.length <= MANY) return Array.prototype.concat.apply([], runs)
  const joined = []
  for (let at = 0; at < runs.length; at += MANY) joined.push(join(runs.slice(at, at + MANY)))
  return join(joined)
}

class OpenObject {
  constructor () {
    this.node = null
    this.name = null // of the child that is open
  }

  addRun (run) {
    if (this.node === null) this.node = run
    else for (const name of Object.keys(run)) define(this.node, name, run[name])
  }

  add (value) {
    this.node ??= {}
    define(this.node, this.name, value)
  }

  close () {
    return this.node ?? {}
  }
}

/** Like JSON.parse, whatever is on Object.prototype: `__proto__`, setters, what is frozen. */
function define (object, name, value) {
  if (name in Object.prototype) {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true })
  } else {
    object[name] = value
  }
}

const PAGE = 16_384

/** An array that grows holds the loop while it is copied; this one has pages. */
class Stack {
  constructor () {
    this.full = []
    this.page = []
  }

  get isEmpty () {
    return this.page.length === 0 && this.full.length === 0
  }

  push (item) {
    if (this.page.length === PAGE) {
      this.full.push(this.page)
      this.page = []
    }
    this.page.push(item)
  }

  pop () {
    if (this.page.length === 0) this.page = this.full.pop()
    return this.page.pop()
  }
}

module.exports = { Spine, Stack }
