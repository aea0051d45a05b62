'use strict'

// Hands batches out to processes, and watches over them.

const { fork } = require('node:child_process')
const path = require('node:path')
const { describeEnd } = require('./report')
const Tally = require('./tally')

const BATCH = 100 // cases of one seed
const LANES = 12 // batches that a process has under way
const SILENCE = 60_000 // ms without a sign of life
const PROGRESS = 5000 // ms
const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }

/**
 * @param {ReturnType<import('./arguments').readArguments>} settings
 * @param {(text: string) => void} print
 * @returns {Promise<boolean>} whether all is well
 */
async function supervise (settings, print) {
  const tally = new Tally()
  const begun = performance.now()
  const seconds = () => (performance.now() - begun) / 1000
  const batches = batchesOf(settings)
  const workers = Array.from({ length: settings.jobs }, () => startWorker(settings.subject))
  const kill = () => workers.forEach(({ child }) => child.kill('SIGKILL'))
  const finish = (interrupted) => {
    kill()
    print(describeEnd(tally, { seconds: seconds(), seed: settings.seed, interrupted }))
  }

  process.on('exit', kill)
  for (const [signal, number] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      finish(true)
      process.exit(128 + number)
    })
  }
  const progress = setInterval(() => {
    if (!settings.quiet) process.stderr.write(`${tally.cases.toLocaleString('en')} cases, ${Math.round(tally.cases / seconds())}/s\n`)
  }, PROGRESS)

  const stopped = () => !settings.goOn && (tally.differences > 0 || tally.failures > 0)
  await Promise.all(workers.map((worker) => worker.work(batches, (result) => {
    if (result.tally !== undefined) tally.add(result.tally)
    else tally.failures++
    if (result.text !== null && (settings.goOn || !stopped.told)) print(result.text)
    stopped.told = stopped()
  }, stopped)))
  clearInterval(progress)
  finish(false)
  return tally.differences === 0 && tally.failures === 0
}

/** The seed of a batch is one more than that of the one before. */
function * batchesOf ({ cases, seed, path }) {
  if (path !== undefined) {
    yield { seed, cases: 1, path }
    return
  }
  for (let done = 0; done < cases; done += BATCH) {
    yield { seed: (seed + done / BATCH) % 2 ** 31, cases: Math.min(BATCH, cases - done) }
  }
}

function startWorker (subject) {
  const file = subject === undefined ? path.join(__dirname, '../..') : path.resolve(subject)
  const child = fork(path.join(__dirname, 'worker.js'), [file])

  /** Resolves when there is no batch left, or this process is lost. */
  const work = (batches, report, stopped) => new Promise((resolve) => {
    const open = new Map() // seed -> batch
    let silence

    const heard = () => {
      clearTimeout(silence)
      silence = setTimeout(() => lost(`said nothing for ${SILENCE / 1000} s`), SILENCE)
    }
    const lost = (why) => {
      end()
      const seeds = [...open.keys()].map((seed) => `npm run fuzz -- --cases=${BATCH} --seed=${seed}`)
      report({ text: `BROKEN OFF: a process ${why}. It was at one of these:\n${seeds.join('\n')}\n` })
    }
    const end = () => {
      clearTimeout(silence)
      child.removeAllListeners()
      child.kill('SIGKILL')
      resolve()
    }
    const hand = () => {
      while (open.size < LANES && !stopped()) {
        const { value: batch, done } = batches.next()
        if (done) break
        open.set(batch.seed, batch)
        child.send(batch)
      }
      if (open.size === 0 || stopped()) end()
    }

    child.on('exit', (code, signal) => lost(`ended (${signal ?? code})`))
    child.on('message', (message) => {
      heard()
      if (message.kind === 'alive') return
      if (message.kind !== 'ready') open.delete(message.batch.seed)
      if (message.kind === 'done') report({ tally: message.tally, text: message.difference ?? message.seen ?? null })
      if (message.kind === 'failed') report({ text: `BROKEN OFF: seed ${message.batch.seed}: ${message.error}\n` })
      hand()
    })
    heard()
  })

  return { child, work }
}

module.exports = supervise
