'use strict'

// A process of its own for one way and one body. In come `round` and `peak`,
// each of which is answered by figures, or what was wrong. No round begins with
// a global.gc(): V8 forgets optimized code then, and the round would be of cold
// code, which doubled the time of parsing in slices.

const fs = require('node:fs')
const { peakRss } = require('../../perf/meter')
const LoopWatch = require('./loop-watch')
const same = require('./same')
const ways = require('./ways')

const WARM_UP = 600 // ms of processor time
const REST = 50 // ms before a round, for what the last one left behind in other threads

async function main ({ way: id, body, small, slice, warm }) {
  const way = ways[id]
  const parse = (bytes) => way.parse(bytes, { slice })
  const bytes = fs.readFileSync(body)
  const wrong = await check(parse, fs.readFileSync(small))
  if (wrong === null && warm) await warmUp(() => parse(bytes))
  const watch = new LoopWatch()

  const orders = {
    async round () {
      await new Promise((resolve) => setTimeout(resolve, REST))
      watch.start()
      const cpu = process.cpuUsage()
      const began = performance.now()
      const value = await parse(bytes)
      const wall = performance.now() - began
      const { user, system } = process.cpuUsage(cpu)
      await watch.stop()
      if (value === undefined) throw new Error('parsed nothing') // and it is held up to here
      return { wall, cpu: (user + system) / 1000, ...watch.report() }
    },

    async peak () {
      const before = process.memoryUsage.rss()
      const value = await parse(bytes)
      if (value === undefined) throw new Error('parsed nothing')
      return { before, peak: peakRss() }
    }
  }
  process.on('message', async (order) => {
    try {
      process.send(await orders[order]())
    } catch (error) {
      process.send({ wrong: error.message })
    }
  })
  process.send({ wrong })
}

/** @returns {Promise<string | null>} what is wrong with what it makes */
async function check (parse, bytes) {
  try {
    return same(await parse(bytes), JSON.parse(bytes.toString())) ? null : 'parsed another value'
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
main(JSON.parse(process.argv[2])).catch((error) => process.send({ wrong: error.message }))
