'use strict'

// How a program is run by each runtime.

const { programOf } = require('../../tools/npm')

/** Runtime -> the command in front of a file. @type {Record<string, (node: { path: string }) => Promise<string[]>>} */
module.exports = {
  Node: async ({ path }) => [path],
  Bun: async () => [await programOf('bun', 'bun', '--print', 'process.execPath'), 'run'],
  async Deno () {
    const program = await programOf('deno', 'deno', 'eval', 'console.log(Deno.execPath())')
    return [program, 'run', '-A', '--quiet', '--unstable-no-legacy-abort']
  }
}
