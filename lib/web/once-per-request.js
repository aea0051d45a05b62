'use strict'

const { markHandled } = require('../core/handled-promise')
const { checkRequest } = require('./compose')

/**
 * What a reader remembers of its requests. A WeakMap would make each collection of garbage take longer, by half of what
 * a small request costs in Deno. A private field of the request is as invisible.
 */
function createMemory () {
  class Key {
    constructor (request) {
      return request
    }
  }
  return class Memory extends Key {
    #promise
    constructor (request, promise) {
      super(request)
      this.#promise = promise
    }

    /** @returns {Promise<unknown> | undefined} */
    static get (request) {
      return #promise in request ? request.#promise : undefined
    }
  }
}

/**
 * @template Body
 * @param {string} name of the reader: the TypeError for anything but a Request has it
 * @param {(request: Request) => Promise<Body>} read handles a rejection, as the app may never
 * @returns {(request: Request) => Promise<Body>} calls it once for each request, and gives the same promise after that
 */
module.exports = function oncePerRequest (name, read) {
  const Memory = createMemory()
  return (request) => {
    try {
      checkRequest(request, name)
    } catch (mistake) {
      return markHandled(Promise.reject(mistake))
    }
    let promise = Memory.get(request)
    if (promise === undefined) new Memory(request, promise = read(request))
    return promise
  }
}
