'use strict'

// What a request takes in one parser.

const Meter = require('../../tools/lab/meter')
const { competitors } = require('../competitors')
const { createLoop, isRight } = require('../measure/loop')
const rows = require('../rows')

const WARM_UP = 160_000 // us of CPU time, as other processes may have the core
const ROUND = 4 // ms: so short that the noise of the machine spares some
const LONGEST = 3 // times a round, where much of it is not timed
const ROUNDS = 9

/** @returns {Promise<{ ns: number, bytes: number }>} the least time of a request in some rounds; on the heap */
exports.measure = async (row, way) => {
  const work = rows.find(({ name }) => name === row).build()
  const handler = await competitors.find(({ name }) => name === way).create(work.kind, work.options, work.headers)
  if (!await isRight(work, handler)) throw new Error(`${way} has parsed another value`)

  const loop = createLoop(work, handler)
  const { timed, whole } = await warm(loop)
  const count = Math.max(Math.round(Math.min(ROUND / timed, LONGEST * ROUND / whole)), 1)
  let least = Infinity
  for (let round = 0; round < ROUNDS; round++) least = Math.min(least, await loop(count))
  const meter = new Meter()
  meter.watch()
  await loop(count)
  meter.requests = count
  return { ns: least / count, bytes: meter.figures().heap }
}

/** @returns {Promise<{ timed: number, whole: number }>} ms per request: what a round times, and all that it does */
async function warm (loop) {
  const before = process.cpuUsage()
  for (let count = 1; ; count = Math.min(count * 2, 1024)) {
    const start = performance.now()
    const timed = await loop(count) / count / 1e6
    const { user, system } = process.cpuUsage(before)
    if (user + system >= WARM_UP) return { timed, whole: (performance.now() - start) / count }
  }
}
