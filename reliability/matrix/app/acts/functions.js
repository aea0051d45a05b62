'use strict'

// What `verify`, `parse` and `schema` of an app do with what they are given.
// `app.result` is what they return if all is well.

/** @type {Record<string, import('./streams').Act>} */
module.exports = {
  return: { reads: true, run: (value, app) => succeed(value, app) },
  resolve: { reads: true, run: async (value, app) => succeed(value, app) },
  'resolve later': { reads: true, run: (value, app) => app.soon().then(() => succeed(value, app)) },
  'return, look at it later': {
    reads: true,
    run (value, app) {
      app.reads(app.exchange.over.then(() => app.soon()).then(() => value))
      return app.result(value)
    }
  },
  throw: {
    fails: true,
    hasOneTime: true,
    run (value, app) {
      app.reads(value)
      throw app.error
    }
  },
  'throw undefined': {
    fails: true,
    hasOneTime: true,
    run (value, app) {
      app.reads(value)
      throw undefined // eslint-disable-line no-throw-literal
    }
  },
  reject: {
    fails: true,
    async run (value, app) {
      app.reads(value)
      throw app.error
    }
  },
  'reject with undefined': {
    fails: true,
    run (value, app) {
      app.reads(value)
      return Promise.reject() // eslint-disable-line prefer-promise-reject-errors
    }
  },
  'reject later': {
    fails: true,
    run (value, app) {
      app.reads(value)
      return app.soon().then(() => { throw app.error })
    }
  },
  'never settle': {
    hangs: true,
    run (value, app) {
      app.reads(value)
      return new Promise(() => {})
    }
  },
  'settle twice': {
    reads: true,
    hasOneTime: true,
    run: (value, app) => new Promise((resolve, reject) => {
      resolve(succeed(value, app))
      resolve()
      reject(app.error)
    })
  },
  thenable: {
    reads: true,
    hasOneTime: true,
    run: (value, app) => ({ then (resolve) { resolve(succeed(value, app)) } })
  },
  'thenable that settles twice': {
    reads: true,
    hasOneTime: true,
    run: (value, app) => ({
      then (resolve, reject) {
        resolve(succeed(value, app))
        resolve(app.result(value))
        reject(app.error)
        throw app.error
      }
    })
  },
  'thenable that rejects twice': {
    fails: true,
    hasOneTime: true,
    run (value, app) {
      app.reads(value)
      return {
        then (resolve, reject) {
          reject(app.error)
          reject(app.error)
          resolve(app.result(value))
        }
      }
    }
  },
  'then that throws': {
    fails: true,
    hasOneTime: true,
    run (value, app) {
      app.reads(value)
      return { then () { throw app.error } }
    }
  },
  'answer, return': {
    reads: true,
    run (value, app) {
      app.answer()
      return succeed(value, app)
    }
  },
  'answer, reject': {
    fails: true,
    async run (value, app) {
      app.answer()
      app.reads(value)
      throw app.error
    }
  },
  'answer, never settle': {
    hangs: true,
    run (value, app) {
      app.answer()
      app.reads(value)
      return new Promise(() => {})
    }
  }
}

function succeed (value, app) {
  app.reads(value)
  return app.result(value)
}
