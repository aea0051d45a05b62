'use strict'

// A program of ../programs in a process of its own, as agents patch whatever is loaded after them: with body-parser,
// then with this package in its place.

const assert = require('node:assert/strict')
const { fork } = require('node:child_process')
const { on, once } = require('node:events')
const http = require('node:http')
const { sides } = require('../../support/sides')

const START_TIME = 60_000 // ms, for an agent to load

class Program {
  /**
   * @param {string} folder a project of sides.js
   * @param {string} name
   * @param {Record<string, string>} [env]
   */
  static async start (folder, name, env) {
    const program = new Program(fork(name, { cwd: folder, env: { ...process.env, ...env }, silent: true }))
    program.port = await program.hear('port')
    return program
  }

  constructor (child) {
    this.child = child
    this.messages = on(child, 'message', { close: ['close'] })
    this.output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => { this.output += text })
    }
  }

  /** The next message of that name; those before it are dropped. */
  async hear (name) {
    for (;;) {
      const { done, value } = await this.messages.next()
      if (done) throw new Error(`the program has ended: ${this.output}`)
      const [message] = value
      if (name in message) return message[name]
    }
  }

  /** The first piece of the body goes out with the header, another one when the parser has been called. */
  async ask ({ path = '/', headers, pieces, chunked = false }) {
    const [first, ...rest] = pieces.map((piece) => Buffer.from(piece))
    const length = chunked ? {} : { 'content-length': Buffer.concat([first, ...rest]).length }
    const options = { port: this.port, path, method: 'POST', headers: { ...headers, ...length }, agent: false }
    const req = http.request(options)
    const response = once(req, 'response')
    if (first.length > 0) req.write(first)
    else req.flushHeaders()
    if (rest.length > 0) await this.hear('called')
    for (const piece of rest) req.write(piece)
    req.end()
    const [res] = await response
    return { status: res.statusCode, body: JSON.parse(Buffer.concat(await res.toArray())) }
  }

  async observed () {
    this.child.send('observed')
    return this.hear('observed')
  }

  async stop () {
    if (!this.child.connected) return
    const ended = once(this.child, 'exit')
    this.child.kill('SIGKILL')
    await ended
  }
}

/**
 * Every row holds for both.
 *
 * @param {string} program
 * @param {Row[]} rows
 * @param {Record<string, string>} [env]
 *
 * @typedef {object} Row
 * @property {string} it
 * @property {object} request `path`, `headers`, `pieces` of its body, and `chunked`
 * @property {{ status: number, body: unknown }} answer
 * @property {unknown} [observed] what the observer saw of the request
 */
function both (program, rows, env) {
  for (const side of ['theirs', 'ours']) one(side, program, rows, env)
}

/** The same with one of them, for what only one can do. */
function one (side, program, rows, env) {
  describe(side, () => {
    let app

    before(async function () {
      this.timeout(START_TIME)
      app = await Program.start((await sides())[side], program, env)
    })

    after(() => app?.stop())

    for (const { it: title, request, answer, observed = null } of rows) {
      it(title, async () => {
        assert.deepEqual(await app.ask(request), answer)
        assert.deepEqual(await app.observed(), observed)
      })
    }
  })
}

module.exports = { both, one }
