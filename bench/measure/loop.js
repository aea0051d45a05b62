'use strict'

const { createFeed, createRequestFactory } = require('./request')

const BURST = 16 // requests in one turn of the event loop
const BATCH = 256 // requests made ahead, where the handling alone is timed

/**
 * A function that serves a number of requests, one after the other, and returns
 * the time that it took.
 *
 * @param {import('../rows/row').Work} work
 * @param {(req: object, res: object, next: Function) => void} handler
 * @returns {(count: number) => Promise<number>} nanoseconds, all requests together
 */
function createLoop (work, handler) {
  const create = createRequestFactory(work)
  return work.skips ? createPassLoop(create, handler) : createBodyLoop(work, create, handler)
}

/**
 * Times request, body and handling together, as they interleave: one request
 * at a time, or as many as a busy server finds in a turn of the event loop: a
 * parser that waits for the end of a turn waits once for all of them. A request
 * that is refused unread is drained first, as a server has to do it.
 */
function createBodyLoop (work, create, handler) {
  const feed = createFeed(work)
  const fails = work.status !== undefined
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
        handler(req, res, (error) => {
          if ((error !== undefined) !== fails) reject(error ?? new Error('not refused'))
          else if (fails && isUnread(req)) req.resume().once('close', done)
          else done()
        })
        feed(req)
      }
    }

    function done () {
      served++
      if (--open > 0) return
      if (served === count) resolve(Number(process.hrtime.bigint() - start))
      else if (served % BURST === 0) setImmediate(serve)
      else serve()
    }
  })
}

function isUnread (req) {
  return (!req.complete || req.readableLength > 0) && !req.closed
}

/** Times the handling alone: where no body is read, making a request costs more. */
function createPassLoop (create, handler) {
  const res = {}
  let passed
  const done = () => { passed++ }

  return async (count) => {
    let time = 0
    passed = 0
    for (let left = count; left > 0; left -= BATCH) {
      const requests = Array.from({ length: Math.min(BATCH, left) }, create)
      const start = process.hrtime.bigint()
      for (const req of requests) handler(req, res, done)
      time += Number(process.hrtime.bigint() - start)
    }
    if (passed !== count) throw new Error('next was not called at once')
    return time
  }
}

module.exports = createLoop
