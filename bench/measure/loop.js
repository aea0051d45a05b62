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
  if (work.skips) return createPassLoop(create, handler)
  return work.served ? createTurnLoop(work, create, handler) : createBodyLoop(work, create, handler)
}

/**
 * Times request, body and handling together, as they interleave. A request that
 * is refused unread is drained first, as a server has to do it.
 */
function createBodyLoop (work, create, handler) {
  const feed = createFeed(work)
  const fails = work.status !== undefined
  const res = {}

  return (count) => new Promise((resolve, reject) => {
    let served = 0
    const start = process.hrtime.bigint()
    serve()

    function serve () {
      const req = create()
      handler(req, res, (error) => {
        if ((error !== undefined) !== fails) reject(error ?? new Error('not refused'))
        else if (fails && isUnread(req)) req.resume().once('close', done)
        else done()
      })
      feed(req)
    }

    function done () {
      if (++served === count) resolve(Number(process.hrtime.bigint() - start))
      else if (served % BURST === 0) setImmediate(serve)
      else serve()
    }
  })
}

function isUnread (req) {
  return (!req.complete || req.readableLength > 0) && !req.closed
}

/** Many at a time: a parser that waits for the end of a turn waits once for all of them. */
function createTurnLoop (work, create, handler) {
  const feed = createFeed(work)
  const res = {}

  return (count) => new Promise((resolve, reject) => {
    let left = count
    let open = 0
    const start = process.hrtime.bigint()
    turn()

    function turn () {
      open = Math.min(BURST, left)
      left -= open
      for (let i = open; i > 0; i--) {
        const req = create()
        handler(req, res, done)
        feed(req)
      }
    }

    function done (error) {
      if (error !== undefined) return reject(error)
      if (--open > 0) return
      if (left > 0) setImmediate(turn)
      else resolve(Number(process.hrtime.bigint() - start))
    }
  })
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
