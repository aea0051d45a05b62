'use strict'

// The processes that do what is measured, of any runtime.

const { execFile } = require('node:child_process')
const { once } = require('node:events')
const path = require('node:path')
const { promisify } = require('node:util')
const { spawn } = require('../tools/child-process')
const { programOf } = require('../tools/npm')
const UserError = require('../tools/user-error')

const PORT = /^\d+$/m // a line that the server prints

/** Runtime -> the command in front of a file. @type {Record<string, (node: { path: string }) => Promise<string[]>>} */
const runtimes = {
  Node: async ({ path }) => [path],
  Bun: async () => [await programOf('bun', 'bun', '--print', 'process.execPath'), 'run'],
  async Deno () {
    const program = await programOf('deno', 'deno', 'eval', 'console.log(Deno.execPath())')
    return [program, 'run', '-A', '--quiet', '--unstable-no-legacy-abort']
  }
}

/** The figure that a fresh process gives, by the command of a runtime, and a file of ways/. */
async function inWorker ([program, ...args], file, row, way) {
  const env = { ...process.env, NODE_NO_WARNINGS: '1' }
  const worker = path.join(__dirname, 'worker.mjs')
  return JSON.parse((await promisify(execFile)(program, [...args, worker, file, row, way], { env })).stdout)
}

const running = [] // intentionally global: what stops the servers

/**
 * A server in a process of its own: see server.mjs.
 *
 * @param {string[]} command of a runtime, with its flags
 * @param {string[]} args kind of server, file of ways/, way, and a folder
 * @param {Record<string, string>} [more] variables of its environment
 * @returns {Promise<number>} its port
 */
async function startServer ([program, ...flags], args, more) {
  const env = { ...process.env, ...more }
  const command = [...flags, path.join(__dirname, 'server.mjs'), ...args]
  const child = spawn(program, command, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  running.push(() => {
    child.kill()
    return closed
  })
  const [line] = await Promise.race([once(child.stdout, 'data'), closed.then(() => [''])])
  const port = Number(PORT.exec(line)?.[0])
  if (port > 0) return port
  throw new UserError(`${args.join(' ')} does not serve`)
}

const stopServers = () => Promise.all(running.splice(0).map((stop) => stop()))

module.exports = { inWorker, runtimes, startServer, stopServers }
