'use strict'

const path = require('node:path')
const IpcProcess = require('../../tools/ipc-process')

const LOAD = { count: 50, bytes: 5e6 }
const TIMEOUT = 300_000 // ms for all bodies

/**
 * The peak resident sets of fresh processes, side by side, that each parse 50
 * JSON bodies of 5 MB at the same time, and keep the values.
 *
 * @param {import('../competitors').Competitor} competitor
 * @param {object} settings
 * @param {string} settings.node path of the Node that runs the processes
 * @param {number} settings.holders how many
 * @returns {Promise<{ before: number[], peak: number[] }>} bytes
 */
async function measureMemory ({ name }, { node, holders }) {
  const sizes = await Promise.all(Array.from({ length: holders }, () => holdBodies(name, node)))
  return { before: sizes.map(({ before }) => before), peak: sizes.map(({ peak }) => peak) }
}

async function holdBodies (name, node) {
  const command = [node, path.join(__dirname, 'memory-worker.js'), name, JSON.stringify(LOAD)]
  const worker = new IpcProcess(`"${name}", while its memory was measured`, command, __dirname)
  try {
    return await worker.ready(TIMEOUT)
  } finally {
    await worker.close()
  }
}

module.exports = measureMemory
