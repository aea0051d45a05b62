'use strict'

const marks = require('../marks')
const { isStream } = require('./facts')

const NONE = Object.freeze({ __proto__: null })

/**
 * What parsers know of one request. A stream carries one. An adapter may put
 * the next request into any other object, and no event tells so: there, a visit
 * lasts while parsers are at work, and then as long as nothing is replaced.
 */
class Visit {
  constructor (req, res) {
    this.req = req
    this.res = res
    this.isParsed = false // by a parser with option `buffered`
    this.promises = new Map() // middleware -> what its `read` has given
    this.parsers = 0 // at work
    this.seen = null
    this.look()
  }

  /** @returns {Visit} of the request that is in the object now */
  static of (req, res) {
    marks.visits ??= new WeakMap()
    const known = marks.visits.get(req)
    if (known !== undefined && !known.isOver(res)) return known
    const visit = new Visit(req, res)
    marks.visits.set(req, visit)
    return visit
  }

  begin () {
    this.parsers++
  }

  end () {
    if (--this.parsers === 0) this.look()
  }

  look () {
    if (!isStream(this.req)) this.seen = factsOf(this.req, this.res)
  }

  isOver (res) {
    if (this.seen === null || this.parsers > 0) return false
    return factsOf(this.req, res).some((value, index) => value !== this.seen[index])
  }
}

/** Getters are compared, not called: a body may be parsed when it is asked for, and bad JSON then throws. */
function factsOf (req, res) {
  return [res, ...['headers', 'rawBody', 'body'].map((name) => factOf(req, name))]
}

function factOf (req, name) {
  const { value, get } = Object.getOwnPropertyDescriptor(req, name) ?? NONE
  return get ?? value
}

module.exports = Visit
