'use strict'

const { parentPort } = require('node:worker_threads')

parentPort.on('message', (bytes) => {
  try {
    parentPort.postMessage({ value: JSON.parse(Buffer.from(bytes).toString()) })
  } catch (error) {
    parentPort.postMessage({ message: error.message })
  }
})
