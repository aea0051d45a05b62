'use strict'

const { execFileSync } = require('node:child_process')
const { shuffle } = require('../../tools/random')

/**
 * Rounds in which each has its turn, in an order that changes, so that none always runs after the same one.
 *
 * @template T
 * @param {string[]} names
 * @param {number} rounds
 * @param {(name: string) => T | Promise<T>} run
 * @returns {Promise<Record<string, T[]>>} what it returned, by name
 */
async function alternate (names, rounds, run) {
  const seen = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const name of shuffle([...names], Math.random)) seen[name].push(await run(name))
  }
  return seen
}

/** @param {string[]} command program and arguments @returns {any} the JSON that a fresh process prints */
function inProcess ([program, ...args]) {
  const env = { ...process.env, NODE_NO_WARNINGS: '1' }
  return JSON.parse(execFileSync(program, args.map(String), { encoding: 'utf8', env }))
}

module.exports = { alternate, inProcess }
