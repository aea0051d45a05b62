'use strict'

// A process for one way and one body. It answers the orders `round` and `peak`
// with figures. No round begins with a global.gc(): V8 drops optimized code
// then, and cold code takes twice as long to parse in slices.

const fs = require('node:fs')
const { answerOrders, giveUp, sayReady } = require('../../tools/ipc-worker')
const peakRss = require('../../tools/peak-rss')
const isSameJson = require('./is-same-json')
const LoopWatch = require('./loop-watch')
const ways = require('./ways')

const WARM_UP = 600 // ms of processor time
const REST = 50 // ms before a round, until other threads have finished the work of the last one

async function main ({ way: id, body, small, slice, warm }) {
  const way = ways[id]
  const parse = (bytes) => way.parse(bytes, { slice })
  const bytes = fs.readFileSync(body)
  const wrong = await check(parse, fs.readFileSync(small))
  if (wrong === null && warm) await warmUp(() => parse(bytes))
  const watch = new LoopWatch()

  answerOrders({
    async round () {
      await new Promise((resolve) => setTimeout(resolve, REST))
      watch.start()
      const cpu = process.cpuUsage()
      const began = performance.now()
      const value = await parse(bytes)
      const wall = performance.now() - began
      const { user, system } = process.cpuUsage(cpu)
      await watch.stop()
      if (value === undefined) throw new Error('parsed nothing') // also keeps the value alive up to here
      return { wall, cpu: (user + system) / 1000, ...watch.report() }
    },

    async peak () {
      const before = process.memoryUsage.rss()
      const value = await parse(bytes)
      if (value === undefined) throw new Error('parsed nothing')
      return { before, peak: peakRss() }
    }
  })
  sayReady({ wrong })
}

/** @returns {Promise<string | null>} what is wrong with its value */
async function check (parse, bytes) {
  try {
    return isSameJson(await parse(bytes), JSON.parse(bytes.toString())) ? null : 'parsed another value'
  } catch (error) {
    return error.message
  }
}

async function warmUp (run) {
  const before = process.cpuUsage()
  for (;;) {
    await run()
    const { user, system } = process.cpuUsage(before)
    if (user + system >= WARM_UP * 1000) return
  }
}

process.on('disconnect', () => process.exit())
main(JSON.parse(process.argv[2])).catch(giveUp)
