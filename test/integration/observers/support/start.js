'use strict'

// A program of programs/ in a process of its own: agents patch whatever is
// loaded after them.

const { fork } = require('node:child_process')
const { on, once } = require('node:events')
const http = require('node:http')

/**
 * @param {string} folder a project of sides.js
 * @param {string} program
 * @param {Record<string, string>} [env]
 */
async function start (folder, program, env) {
  const child = fork(program, { cwd: folder, env: { ...process.env, ...env }, silent: true })
  const messages = on(child, 'message', { close: ['close'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => { output += text })
  }

  /** The next message of that name; those before it are dropped. */
  async function hear (name) {
    for (;;) {
      const { done, value } = await messages.next()
      if (done) throw new Error(`${program} has ended: ${output}`)
      const [message] = value
      if (name in message) return message[name]
    }
  }

  /**
   * Sends a request. The first piece of its body goes out with the header,
   * another one when the parser has been called.
   */
  async function ask ({ path = '/', headers, pieces, chunked = false }) {
    const [first, ...rest] = pieces.map((piece) => Buffer.from(piece))
    const length = chunked ? {} : { 'content-length': Buffer.concat([first, ...rest]).length }
    const req = http.request({ port, path, method: 'POST', headers: { ...headers, ...length }, agent: false })
    const response = once(req, 'response')
    if (first.length > 0) req.write(first)
    else req.flushHeaders()
    if (rest.length > 0) await hear('called')
    for (const piece of rest) req.write(piece)
    req.end()
    const [res] = await response
    return { status: res.statusCode, body: JSON.parse(Buffer.concat(await res.toArray())) }
  }

  async function observed () {
    child.send('observed')
    return hear('observed')
  }

  async function stop () {
    if (!child.connected) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  const port = await hear('port')
  return { ask, observed, stop }
}

module.exports = start
