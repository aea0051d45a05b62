'use strict'

// Programs of pages, run as they are, but for the port.

const { fork } = require('node:child_process')
const { once } = require('node:events')
const { write } = require('./project')

const ANY_PORT = `
const { Server } = require('node:net')
const { listen } = Server.prototype
Server.prototype.listen = function (port, ...args) {
  this.once('listening', () => process.send(this.address().port))
  return listen.call(this, 0, ...args)
}`

/**
 * Runs a program that listens, while `use` is called.
 *
 * @param {string} folder in which it finds its packages
 * @param {string} code
 * @param {(url: string, log: () => string) => Promise<void>} use gets its URL, which ends in a slash, and
 *   what it has printed on stderr
 */
async function serve (folder, code, use) {
  const name = /^import /m.test(code) ? 'program.mjs' : 'program.cjs'
  write(folder, { [name]: code, 'any-port.cjs': ANY_PORT })
  const child = fork(name, { cwd: folder, execArgv: ['-r', './any-port.cjs'], silent: true })
  let stderr = ''
  child.stdout.resume()
  child.stderr.setEncoding('utf8').on('data', (chunk) => { stderr += chunk })
  const closed = once(child, 'close')
  try {
    const [port] = await Promise.race([once(child, 'message'), closed.then(() => { throw new Error(stderr) })])
    await use(`http://127.0.0.1:${port}/`, () => stderr)
  } finally {
    child.kill()
    await closed
  }
}

module.exports = { serve }
