'use strict'

// Sends batches to processes, and watches these.

const path = require('node:path')
const { kill, spawn } = require('../../tools/child-process')
const { describeEnd } = require('./report')
const Tally = require('./tally')

const BATCH = 100 // cases of one seed
const LANES = 12 // batches that a process has under way
const SILENCE = 60_000 // ms without a sign of life
const PROGRESS = 5000 // ms

/**
 * @param {{ cases: number, seed: number, jobs: number, path: string | null, keepGoing: boolean, subject: string, quiet: boolean }} settings
 * @param {(text: string) => void} print
 * @returns {Promise<boolean>} true if there is no difference
 */
async function supervise (settings, print) {
  const tally = new Tally()
  const start = performance.now()
  const seconds = () => (performance.now() - start) / 1000
  const batches = batchesOf(settings)
  const printEnd = (interrupted) => print(describeEnd(tally, { seconds: seconds(), seed: settings.seed, interrupted }))
  const onExit = () => printEnd(true) // after a signal
  process.once('exit', onExit)
  const progress = setInterval(() => {
    if (!settings.quiet) process.stderr.write(`${tally.cases.toLocaleString('en')} cases, ${Math.round(tally.cases / seconds())}/s\n`)
  }, PROGRESS)

  const isStopped = () => !settings.keepGoing && (tally.differences > 0 || tally.failures > 0)
  let wasStopped = false
  const report = (result) => {
    if (result.tally !== undefined) tally.add(result.tally)
    else tally.failures++
    if (result.text !== null && !wasStopped) print(result.text)
    wasStopped = isStopped()
  }
  await Promise.all(Array.from({ length: settings.jobs }, () => work(settings.subject, batches, report, isStopped)))
  clearInterval(progress)
  process.off('exit', onExit)
  printEnd(false)
  return tally.differences === 0 && tally.failures === 0
}

/** The seed of a batch is one more than that of the one before. */
function * batchesOf ({ cases, seed, path }) {
  if (path !== null) {
    yield { seed, cases: 1, path }
    return
  }
  for (let done = 0; done < cases; done += BATCH) {
    yield { seed: (seed + done / BATCH) % 2 ** 31, cases: Math.min(BATCH, cases - done) }
  }
}

/** Resolves when there is no batch left, or the process is lost. */
function work (subject, batches, report, isStopped) {
  const child = spawn(process.execPath, [path.join(__dirname, 'worker.js'), subject], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  const open = new Map() // seed -> batch
  let silence

  return new Promise((resolve) => {
    child.on('exit', (code, signal) => lose(`ended (${signal ?? code})`))
    child.on('message', (message) => {
      expectMore()
      if (message.kind === 'alive') return
      if (message.kind !== 'ready') open.delete(message.batch.seed)
      if (message.kind === 'done') report({ tally: message.tally, text: message.difference ?? message.seen ?? null })
      if (message.kind === 'failed') report({ text: `BROKEN OFF: seed ${message.batch.seed}: ${message.error}\n` })
      sendBatches()
    })
    expectMore()

    function expectMore () {
      clearTimeout(silence)
      silence = setTimeout(() => lose(`said nothing for ${SILENCE / 1000} s`), SILENCE)
    }

    function sendBatches () {
      while (open.size < LANES && !isStopped()) {
        const { value: batch, done } = batches.next()
        if (done) break
        open.set(batch.seed, batch)
        child.send(batch)
      }
      if (open.size === 0 || isStopped()) end()
    }

    function lose (why) {
      end()
      const commands = [...open.keys()].map((seed) => `npm run fuzz -- --cases=${BATCH} --seed=${seed}`)
      report({ text: `BROKEN OFF: a process ${why}. It was at one of these:\n${commands.join('\n')}\n` })
    }

    function end () {
      clearTimeout(silence)
      child.removeAllListeners('exit').removeAllListeners('message')
      kill(child)
      resolve()
    }
  })
}

module.exports = supervise
