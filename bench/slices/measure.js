'use strict'

const { fork } = require('node:child_process')
const { once } = require('node:events')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { shuffle } = require('simple-statistics')
const { shape } = require('./shapes')

const SMALL = 200_000 // bytes; of the body with which a way is checked
const PATIENCE = 180e3 // ms for one parse, and until one is warm

/**
 * Measures one shape: a warm process for each way, and then one round from each
 * in turn. Only one of them runs at a time. Then the peak memory of each, in a
 * process that has done nothing else.
 *
 * @param {string} name of the shape
 * @param {string[]} ways of ways.js
 * @param {{ megabytes: number, rounds: number, slice: number, nodeFlags: string[] }} settings
 * @returns {Promise<Record<string, { rounds: object[], memory: object } | { wrong: string }>>}
 */
async function measureShape (name, ways, settings) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bench-slices-'))
  try {
    const body = write(path.join(folder, 'body.json'), name, settings.megabytes * 1e6)
    const small = write(path.join(folder, 'small.json'), name, Math.min(SMALL, settings.megabytes * 1e6))
    const job = { body, small, slice: settings.slice }
    const results = Object.fromEntries(ways.map((way) => [way, { rounds: [] }]))
    await measureRounds(job, results, settings)
    for (const way of Object.keys(results).filter((way) => results[way].wrong === undefined)) {
      const child = start({ ...job, way, warm: false }, settings)
      await attempt(results, way, async () => {
        await child.ready
        results[way].memory = await child.ask('peak')
      })
      child.stop()
    }
    return results
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}

async function measureRounds (job, results, settings) {
  const crew = []
  try {
    for (const way of Object.keys(results)) { // one at a time, so that they do not warm up side by side
      const child = start({ ...job, way, warm: true }, settings)
      crew.push({ way, child })
      await attempt(results, way, () => child.ready)
    }
    for (let round = 0; round < settings.rounds; round++) {
      for (const { way, child } of shuffle(crew)) {
        if (results[way].wrong !== undefined) continue
        await attempt(results, way, async () => results[way].rounds.push(await child.ask('round')))
      }
    }
  } finally {
    for (const { child } of crew) child.stop()
  }
}

/** What one way cannot do is no reason to leave out the others. */
async function attempt (results, way, work) {
  try {
    await work()
  } catch (error) {
    results[way] = { wrong: error.message }
  }
}

function write (file, name, bytes) {
  const out = fs.openSync(file, 'w')
  for (const piece of shape(name, bytes)) fs.writeSync(out, piece)
  fs.closeSync(out)
  return file
}

function start (job, { nodeFlags }) {
  const child = fork(path.join(__dirname, 'child.js'), [JSON.stringify(job)], {
    execArgv: nodeFlags,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'] // V8 has much to say when there is no memory left
  })
  const ready = reply(child)
  ready.catch(() => {}) // whoever awaits it hears of it, but maybe later
  return {
    ready,
    ask (order) {
      child.send(order)
      return reply(child)
    },
    stop: () => child.kill('SIGKILL')
  }
}

async function reply (child) {
  const waiting = new AbortController()
  const { signal } = waiting
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE)
  try {
    const answer = await Promise.race([
      once(child, 'message', { signal }).then(([message]) => message),
      once(child, 'exit', { signal }).then(([code, reason]) => ({ wrong: reason === 'SIGKILL' ? 'too slow' : `ended with ${reason ?? code}` }))
    ])
    if (answer.wrong === undefined || answer.wrong === null) return answer
    throw new Error(answer.wrong)
  } finally {
    clearTimeout(timer)
    waiting.abort()
  }
}

module.exports = { measureShape, write }
