'use strict'

const { fork } = require('node:child_process')
const path = require('node:path')

const LOAD = { count: 50, bytes: 5e6 }

/**
 * The largest resident sets of fresh processes, side by side, that each parse 50
 * JSON bodies of 5 MB at the same time, and keep the values.
 *
 * @param {import('./competitors').Competitor} competitor
 * @param {object} settings
 * @param {string} settings.node path of the Node that runs the processes
 * @param {number} settings.holders how many
 * @returns {Promise<{ before: number[], peak: number[] }>} KiB
 */
async function measureMemory ({ name }, { node, holders }) {
  const sizes = await Promise.all(Array.from({ length: holders }, () => hold(name, node)))
  return { before: sizes.map(({ before }) => before), peak: sizes.map(({ peak }) => peak) }
}

function hold (name, node) {
  return new Promise((resolve, reject) => {
    const child = fork(path.join(__dirname, 'holder.js'), [name, JSON.stringify(LOAD)], { execPath: node })
    child.once('message', resolve)
    child.once('exit', (code) => reject(new Error(`"${name}" ended with ${code} while its memory was measured`)))
  })
}

module.exports = measureMemory
