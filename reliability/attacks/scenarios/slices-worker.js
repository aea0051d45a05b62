'use strict'

// Calls json-slices, and measures how long after the signal they are rejected.

const path = require('node:path')
const { answerOrders, sayReady } = require('../../../tools/ipc-worker')
const { HOSTILE } = require('./bodies')
const { MB } = require('../catalog/fill')

const ABORT = 10 // ms

const { package: folder = path.join(__dirname, '../../..'), calls } = JSON.parse(process.argv[2])
const parseInSlices = require(path.join(folder, 'lib/slices'))
const OTHERS = 4 // calls that hold the places, and are not aborted
const bytes = HOSTILE.nested(6 * MB)

answerOrders({
  async run () {
    for (let i = 0; i < OTHERS; i++) parseInSlices(bytes).catch(() => {})
    const controller = new AbortController()
    let aborted
    setTimeout(() => {
      aborted = performance.now()
      controller.abort()
    }, ABORT)
    const times = await Promise.all(Array.from({ length: calls }, async () => {
      await parseInSlices(bytes, { signal: controller.signal }).catch(() => {})
      return performance.now() - aborted
    }))
    return { first: Math.min(...times), last: Math.max(...times) }
  }
})
sayReady()
