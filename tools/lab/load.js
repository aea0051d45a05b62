'use strict'

// The process that sends the load, so that it has a core of its own. It serves
// several servers, one after the other.

const sendClosedLoop = require('./closed-loop')
const { handleCommands, sayReady } = require('../ipc')
const RawLoad = require('./raw-load')

const loops = new Map() // id of a server -> what it is sent

/** A wrong response does not end this process: other servers may give the right one. */
async function run ({ id, beside, ...how }) {
  const stop = new AbortController()
  const background = beside && sendClosedLoop({ ...loops.get(beside), signal: stop.signal })
  background?.catch(() => {}) // it is awaited below
  try {
    const figures = await send(loops.get(id), how)
    stop.abort()
    await background
    return figures
  } catch ({ message }) {
    stop.abort()
    return { problem: message }
  }
}

async function send (loop, { rate = null, ...how }) {
  const isChunked = loop.requests.some(({ chunks }) => chunks !== undefined)
  if (rate === null && !isChunked) return keepAwake(sendClosedLoop({ ...loop, ...how }))
  loop.raw ??= await RawLoad.open(loop)
  return loop.raw.run({ rate, ...how })
}

/**
 * The core of this process must not go idle in a closed loop: a server pays for waking it, on a virtual machine some
 * microseconds for a response, and the faster server pays less often.
 */
async function keepAwake (running) {
  let timer = setImmediate(function spin () { timer = setImmediate(spin) })
  try {
    return await running
  } finally {
    clearImmediate(timer)
  }
}

handleCommands({
  open ({ id, requests, ...loop }) {
    for (const request of requests) request.body = Buffer.from(request.body, 'base64')
    loops.set(id, { ...loop, requests })
  },
  run,
  close ({ id }) {
    loops.get(id)?.raw?.close()
    loops.delete(id)
  }
})
sayReady()
