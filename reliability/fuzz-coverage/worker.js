'use strict'

// The thread in which one target runs. What it is at stands in shared memory,
// so that the input is known even if it never comes back.

const { parentPort, workerData } = require('node:worker_threads')
const createRandom = require('../../perf/random')
const explore = require('./explore')
const { readInputs, writeInput } = require('./files')
const instrument = require('./instrument')
const { openTray } = require('./tray')
const shrink = require('./shrink')

const TELL_EVERY = 500 // ms

async function main ({ file, seed, seconds, runs, tries, corpus, plant, input, memory }) {
  const counters = instrument(plant)
  const target = require(file)
  const tray = openTray(memory)
  const execute = (bytes) => {
    tray.put(bytes)
    return target.run(bytes)
  }
  if (input !== undefined) {
    await execute(Buffer.from(input))
    parentPort.postMessage({ kind: 'fine' })
    return
  }

  const end = performance.now() + seconds * 1000
  let told = performance.now()
  const result = await explore({
    target,
    counters,
    random: createRandom(seed),
    corpus: [...target.seeds.map((text) => Buffer.from(text, 'latin1')), ...(corpus === undefined ? [] : readInputs(corpus))],
    execute,
    isOver: (executions) => executions >= runs || performance.now() >= end,
    keep: (bytes) => { if (corpus !== undefined) writeInput(corpus, '', bytes) },
    tell (figures) {
      if (performance.now() - told < TELL_EVERY) return
      told = performance.now()
      parentPort.postMessage({ kind: 'figures', figures: figures() })
    }
  })
  const { finding, ...figures } = result
  if (finding === null) {
    parentPort.postMessage({ kind: 'over', figures })
    return
  }
  const fails = async (bytes) => {
    try {
      await execute(bytes)
      return false
    } catch {
      return true
    }
  }
  const again = await fails(finding.bytes)
  const bytes = again ? await shrink(finding.bytes, fails, tries) : finding.bytes
  parentPort.postMessage({ kind: 'over', figures, finding: { bytes, again, ...await describe(execute, bytes, finding.error) } })
}

/** What the smaller input comes to, which may be something else. */
async function describe (execute, bytes, first) {
  try {
    await execute(bytes)
    return { text: textOf(first) }
  } catch (error) {
    return { text: textOf(error) }
  }
}

function textOf (error) {
  return error instanceof Error ? (error.name === 'WrongAnswer' ? error.message : error.stack) : String(error)
}

// Of a thread that ends by an exception nobody caught, the parent hears.
main(workerData)
