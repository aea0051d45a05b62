'use strict'

const { once } = require('node:events')
const { spawn } = require('../../tools/child-process')
const UserError = require('../../tools/user-error')

const PORT = /^\d+$/m // a line that the server prints

/**
 * A server in a process of its own, of any runtime.
 *
 * @param {string[]} command see ./runtimes.js
 * @param {Record<string, string>} [more] variables of its environment
 * @returns {Promise<{ port: number, pid: number, close: () => Promise<void> }>}
 */
module.exports = async function startServer ([program, ...args], more) {
  const child = spawn(program, args, { env: { ...process.env, ...more }, stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  const close = async () => {
    child.kill()
    await closed
  }
  const [line] = await Promise.race([once(child.stdout, 'data'), closed.then(() => [''])])
  const port = Number(PORT.exec(line)?.[0])
  if (port > 0) return { port, pid: child.pid, close }
  await close()
  throw new UserError(`${args.slice(-3).join(' ')} does not serve`)
}
