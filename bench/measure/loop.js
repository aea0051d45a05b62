'use strict'

const { isDeepStrictEqual } = require('node:util')
const { createFeed, createRequestFactory } = require('./request')

const BURST = 16 // requests in one turn of the event loop

/**
 * Times request, body and handling together, as they interleave: one request at a time, or as many as a busy server
 * finds in a turn of the event loop: a parser that waits for the end of a turn waits once for all of them.
 *
 * @param {import('../rows').Work} work
 * @param {(req: object, res: object, next: Function) => void} handler
 * @returns {(count: number) => Promise<number>} serves so many requests; nanoseconds, all together
 */
function createLoop (work, handler) {
  const create = createRequestFactory(work)
  const feed = createFeed(work)
  const most = work.served ? BURST : 1
  const res = {}

  return (count) => new Promise((resolve, reject) => {
    let served = 0
    let open = 0
    const start = process.hrtime.bigint()
    serve()

    function serve () {
      open = Math.min(most, count - served)
      for (let i = open; i > 0; i--) {
        const req = create()
        handler(req, res, done)
        feed(req)
      }
    }

    function done (error) {
      if (error !== undefined) return reject(error)
      served++
      if (--open > 0) return
      if (served === count) resolve(Number(process.hrtime.bigint() - start))
      else if (served % BURST === 0) setImmediate(serve)
      else serve()
    }
  })
}

/** Serves one request before any is timed. @returns {Promise<boolean>} whether its body is what it must be */
async function isRight (work, handler) {
  const req = createRequestFactory(work)()
  await new Promise((resolve, reject) => {
    handler(req, {}, (error) => error === undefined ? resolve() : reject(error))
    createFeed(work)(req)
  })
  const { value } = work
  if (typeof value === 'string' || Buffer.isBuffer(value)) return isDeepStrictEqual(req.body, value)
  return isDeepStrictEqual(JSON.parse(JSON.stringify(req.body ?? null)), value) // querystring makes other prototypes
}

module.exports = { createLoop, isRight }
