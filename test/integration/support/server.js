'use strict'

// Programs that print the port that they listen on, under each runtime that docs/runtimes.md names.

const { spawn } = require('node:child_process')
const path = require('node:path')

const COMMANDS = path.join(__dirname, '../node_modules/.bin')

/** Runtime -> its command, before the name of a program. */
const RUNTIMES = {
  'Node.js': [process.execPath],
  Bun: [path.join(COMMANDS, 'bun'), 'run'],
  Deno: [path.join(COMMANDS, 'deno'), 'run', '-A', '--quiet']
}

/**
 * @param {string[]} command
 * @param {string} cwd
 * @returns {Promise<{ child: import('node:child_process').ChildProcess, port: number }>}
 */
async function startServer ([program, ...args], cwd) {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += chunk
    const port = /^(\d+)\n|"port":(\d+)/.exec(output)?.slice(1).find(Boolean)
    if (port !== undefined) return { child, port: Number(port) }
  }
  throw new Error(`${program} has ended: ${output}`)
}

module.exports = { RUNTIMES, startServer }
