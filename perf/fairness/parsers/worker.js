'use strict'

// One worker thread decodes and parses. The bytes are handed over without a
// copy; the value comes back as a clone, which this thread has to build.

const path = require('node:path')
const { Worker } = require('node:worker_threads')
const collect = require('./collect')

const waiting = []
let worker

function start () {
  worker = new Worker(path.join(__dirname, 'worker-thread.js'))
  worker.on('message', ({ value, message }) => { // answers come in the order of the messages
    const { resolve, reject } = waiting.shift()
    if (message === undefined) resolve(value)
    else reject(new SyntaxError(message))
  })
  worker.on('error', (error) => {
    for (const { reject } of waiting.splice(0)) reject(error)
  })
}

async function parse (source) {
  const joined = await collect(source)
  const { buffer } = joined.buffer.byteLength === joined.length ? joined : new Uint8Array(joined) // memory of Node's pool cannot be transferred
  if (worker === undefined) start()
  return new Promise((resolve, reject) => {
    waiting.push({ resolve, reject })
    worker.postMessage(buffer, [buffer])
  })
}

async function close () {
  await worker?.terminate()
  worker = undefined
}

module.exports = { name: 'a worker thread', parse, close }
