'use strict'

// The load, in a process of its own. It talks to its parent over IPC:
//   check   one request of each kind, to a server that answers with the whole body -> checked
//   open    what to send to which server                                           -> opened
//   go      so many seconds of it                                                  -> went
//   close                                                                          -> closed
// and `failed` where it cannot go on.

const check = require('../drivers/check')
const Tally = require('../drivers/tally')
const payloads = require('./payloads')
const Posts = require('./posts')
const Steady = require('./steady')

const small = payloads.small()
let large
let steady
let posts

/** The same bytes for all who come, as they take time to make. */
function largeOf (megabytes) {
  if (large?.megabytes !== megabytes) large = { megabytes, request: payloads.large(megabytes) }
  return large.request
}

const orders = {
  async check ({ url, megabytes }) {
    const { problem } = await check({ requests: [small, largeOf(megabytes)] }, { url, answer: 'echo' })
    return { type: 'checked', problem }
  },

  async open ({ url, megabytes, streams, postRate, rate, timeout }) {
    steady = new Steady(small, { url, rate, timeout })
    posts = new Posts(largeOf(megabytes), { url, streams, postRate })
    posts.start()
    return { type: 'opened' }
  },

  async go ({ duration }) {
    steady.tally = new Tally()
    steady.late = 0
    const began = performance.now()
    await steady.go(duration)
    const ended = performance.now()
    return {
      type: 'went',
      problem: steady.tally.problem ?? posts.problem,
      small: steady.tally,
      late: steady.late,
      large: posts.between(began, ended),
      elapsed: ended - began
    }
  },

  async close () {
    await Promise.all([steady.close(), posts.stop()])
    return { type: 'closed' }
  }
}

process.on('message', async ({ type, ...order }) => {
  try {
    process.send(await orders[type](order))
  } catch (error) {
    process.send({ type: 'failed', reason: error.message })
  }
})

process.on('disconnect', () => process.exit())
