'use strict'

// The load, in a process of its own: small requests at random times, beside
// a stream of large posts.

const { setTimeout: sleep } = require('node:timers/promises')
const { answerOrders } = require('../../tools/ipc-worker')
const check = require('../load/check')
const OpenLoop = require('../load/open-loop')
const { record } = require('../scenarios/payloads')
const { json } = require('../scenarios/requests')
const LargePosts = require('./large-posts')

const CONNECTIONS = 100 // enough that a small request waits for another one only if the server stands still

const small = json(record(300), 300)
let large = { bytes: 0, request: null } // kept, as it takes time to make
let requests
let posts

function largeOf (megabytes) {
  const bytes = Math.round(megabytes * 1e6)
  if (large.bytes !== bytes) large = { bytes, request: json(record(bytes), bytes) }
  return large.request
}

answerOrders({
  async check ({ url, megabytes }) {
    const { problem } = await check({ requests: [small, largeOf(megabytes)] }, { url, answer: 'echo' })
    return { problem }
  },

  open ({ url, megabytes, streams, postRate, rate, timeout }) {
    requests = new OpenLoop({ requests: [small], answer: 'tail' }, { url, rate, timeout, connections: CONNECTIONS })
    posts = new LargePosts(largeOf(megabytes), { url, streams, postRate })
    posts.start()
  },

  async go ({ duration }) {
    requests.late = 0
    const began = performance.now()
    requests.begin()
    requests.start()
    await sleep(duration * 1000)
    const small = requests.end()
    await requests.stop()
    const ended = performance.now()
    return {
      problem: small.problem ?? requests.tally.problem ?? posts.problem,
      small,
      late: requests.late,
      large: posts.between(began, ended),
      elapsed: ended - began
    }
  },

  async close () {
    await Promise.all([requests.close(), posts.stop()])
  }
})
