'use strict'

// The thread in which one target runs. The current input is in shared memory, so
// that it is known even if it never returns.

const { parentPort, workerData } = require('node:worker_threads')
const { createRandom } = require('../../tools/random')
const explore = require('./explore')
const { readInputs, writeInput } = require('./files')
const instrument = require('./instrument')
const { openSharedInput } = require('./shared-input')
const shrink = require('./shrink')

const PROGRESS = 500 // ms

async function main ({ file, seed, seconds, runs, tries, corpus, fault, input, memory }) {
  const counters = instrument(fault)
  const target = require(file)
  const shared = openSharedInput(memory)
  const execute = (bytes) => {
    shared.put(bytes)
    return target.run(bytes)
  }
  if (input !== undefined) {
    await execute(Buffer.from(input))
    parentPort.postMessage({ kind: 'fine' })
    return
  }

  const end = performance.now() + seconds * 1000
  let shown = performance.now()
  const result = await explore({
    target,
    counters,
    random: createRandom(seed),
    corpus: [...target.seeds.map((text) => Buffer.from(text, 'latin1')), ...(corpus === undefined ? [] : readInputs(corpus))],
    execute,
    isOver: (executions) => executions >= runs || performance.now() >= end,
    keep: (bytes) => { if (corpus !== undefined) writeInput(corpus, '', bytes) },
    report (figures) {
      if (performance.now() - shown < PROGRESS) return
      shown = performance.now()
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
  const isRepeatable = await fails(finding.bytes)
  const bytes = isRepeatable ? await shrink(finding.bytes, fails, tries) : finding.bytes
  parentPort.postMessage({ kind: 'over', figures, finding: { bytes, isRepeatable, ...await describe(execute, bytes, finding.error) } })
}

/** The result of the smaller input, which may be another one. */
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

// The parent is told of a thread that ends by an uncaught exception.
main(workerData)
