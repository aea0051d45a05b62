'use strict'

const marks = require('../marks')
const { isStream } = require('./facts')

/**
 * What parsers know of one request. A stream is one request. An adapter may use
 * any other object again for the next request, and no event says so: there, a
 * visit lasts while parsers are at work, and then until a field is replaced.
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

const UNKNOWN = NaN // differs from itself

const factsOf = (req, res) => [res, fieldOf(req, 'headers'), fieldOf(req, 'rawBody'), fieldOf(req, 'body')]

/** Calls no getter of the object itself: an adapter that defines one expects one call. */
function fieldOf (req, name) {
  const { get, value } = Object.getOwnPropertyDescriptor(req, name) ?? { value: undefined }
  if (get !== undefined) return UNKNOWN
  try {
    return value ?? req[name]
  } catch { // of an inherited getter
    return UNKNOWN
  }
}

module.exports = Visit
