'use strict'

// Runs one case over one connection, byte for byte, with one implementation.

const net = require('node:net')
const { typedError } = require('../../test/support/outcome')
const { observe, recording } = require('./observe')
const Progress = require('./progress')

const ANSWER = /HTTP\/1\.1 [2-5]\d\d /g // not 100 Continue
const PROBE = 'GET / HTTP/1.1\r\nHost: test\r\n\r\n'

/**
 * @param {object} server see server.js
 * @param {import('./plan').Plan} plan
 * @param {object} bodyParser the implementation
 * @param {object} time
 * @param {number} time.timeout ms for all of it
 * @param {number} time.linger ms for a `next` after the connection is closed:
 *   zlib has a thread of its own
 * @returns {Promise<object>} outcome
 */
async function exchange (server, plan, bodyParser, { timeout, linger }) {
  let layers
  try {
    layers = plan.case.stack.map(({ parser, options, gap }) => ({ parser: bodyParser[parser](recording(options)), gap }))
  } catch (error) {
    return { creation: typedError(error), requests: [] }
  }
  const talk = new Talk(server, plan, layers, timeout, linger)
  try {
    if (await talk.connect()) {
      await talk.send()
      await talk.finish()
    }
    return talk.outcome()
  } finally {
    talk.close()
  }
}

/** The client's side of one connection. */
class Talk {
  constructor (server, plan, layers, timeout, linger) {
    this.server = server
    this.plan = plan
    this.layers = layers
    this.linger = linger
    this.progress = new Progress(timeout)
    this.seen = [] // for each request, in order
    this.received = ''
    this.answers = 0
    this.written = 0
    this.gone = false // the client's side is closed
    this.crash = undefined
    this.probing = false
    this.late = undefined
    this.reusable = false
  }

  /** @returns {Promise<boolean>} false if the connection ended before */
  async connect () {
    const { server, progress } = this
    const socket = this.socket = net.connect({ port: server.port, host: '127.0.0.1', noDelay: true })
    socket.on('error', (error) => {
      if (error.syscall === 'connect') this.failure = error
    })
    socket.on('close', () => {
      this.gone = true
      progress.check()
    })
    socket.on('data', (chunk) => this.read(chunk))
    socket.on('connect', () => progress.check())
    await progress.until(() => this.gone || !socket.connecting)
    if (this.failure !== undefined) throw this.failure
    this.port = socket.localPort
    server.visits.set(this.port, this)
    return await progress.until(() => this.gone || this.find()) && this.peer !== undefined
  }

  /** Looks for the server's end of this connection. */
  find () {
    this.peer = this.server.sockets.get(this.port)
    if (this.peer === undefined) {
      setImmediate(() => this.progress.check())
      return false
    }
    this.peer.on('close', () => this.progress.check())
    return true
  }

  /** A request came in. */
  handle (req, res) {
    if (this.probing) {
      res.end()
      return
    }
    const { 'content-encoding': coding, 'content-type': type } = req.headers
    const seen = { coding, type, steps: [], calls: [], settled: false }
    this.seen.push(seen)
    observe({ before: this.plan.case.before, layers: this.layers }, req, res, seen, () => this.progress.check())
  }

  read (chunk) {
    this.received += chunk.toString('latin1')
    this.answers = this.received.match(ANSWER)?.length ?? 0
    this.progress.check()
  }

  async send () {
    const { messages, end } = this.plan
    let budget = end.how === 'keep' ? Infinity : lengthUpTo(messages, end.at)
    let glue = Buffer.alloc(0)
    for (const [index, { pieces }] of messages.entries()) {
      if (index > 0 && messages[index].join === 'answered') await this.progress.until(() => this.answers >= index || this.gone)
      for (const [place, { bytes, pause }] of pieces.entries()) {
        if (this.gone) return
        const part = bytes.subarray(0, budget)
        budget -= part.length
        const glued = place === pieces.length - 1 && messages[index + 1]?.join === 'glued'
        if (glued) {
          glue = Buffer.concat([glue, part])
        } else {
          await this.write(Buffer.concat([glue, part]), pause)
          glue = Buffer.alloc(0)
        }
        if (budget === 0) break
      }
      if (budget === 0) break
    }
    if (glue.length > 0) await this.write(glue, 'delivered')
  }

  async write (bytes, pause) {
    if (bytes.length > 0) this.socket.write(bytes)
    this.written += bytes.length
    if (pause === 'at once') return
    await this.delivered()
    const turns = { 'a turn': 1, turns: 5 }[pause] ?? 0
    for (let i = 0; i < turns; i++) await turn()
    if (pause === 'a moment') await new Promise((resolve) => setTimeout(resolve, 2))
  }

  /** Waits until the server has read what was written, if it reads at all. */
  async delivered () {
    for (let turns = 0; turns < 100 && !this.gone; turns++) {
      if (this.peer.destroyed || this.peer.bytesRead >= this.written) return
      await turn()
    }
  }

  async finish () {
    await this.settle()
    await turn()
    await turn()
  }

  async settle () {
    const { messages, end } = this.plan
    if (end.how === 'keep') {
      if (!await this.progress.until(() => this.gone || this.answers >= messages.length)) this.late = true
      else if (!this.gone) await this.probe()
    } else {
      if (end.pause !== 'at once') await this.delivered()
      if (end.pause === 'a turn') await turn()
      this.leave(end.how)
    }
    if (this.gone || end.how !== 'keep') {
      await this.progress.until(() => this.gone && this.peer.closed)
      this.progress.restart(this.linger)
      await this.progress.until(() => this.seen.every(({ settled }) => settled))
    }
  }

  leave (how) {
    if (how === 'half') this.socket.end()
    else if (how === 'reset') this.socket.resetAndDestroy()
    else this.socket.destroy()
  }

  /** Sends another request, to see if the connection is still usable. */
  async probe () {
    this.probing = true
    const { answers } = this
    this.socket.write(PROBE)
    if (!await this.progress.until(() => this.gone || this.answers > answers)) this.late = true
    this.reusable = this.answers > answers
  }

  /** An error was not caught. */
  crashed (error) {
    this.crash ??= typedError(error)
    this.progress.end()
  }

  outcome () {
    const { seen, crash, late } = this
    const { messages, end } = this.plan
    const orderly = end.how === 'keep' && messages.every(({ clean, request }) => clean && request.version === '1.1')
    // What races with the end of the connection is not compared.
    const { answers, reusable } = orderly ? this : {}
    return { requests: seen.map(stateOf), answers, reusable, crash, late }
  }

  close () {
    this.progress.end()
    this.server.visits.delete(this.port)
    this.socket.resetAndDestroy() // leaves no port in TIME_WAIT
  }
}

/** A copy, as closing the connection may change it. */
function stateOf ({ settled, steps, ...rest }) {
  const state = { ...rest, steps: steps.map((step) => ({ ...step })) }
  return settled ? state : { ...state, hangs: true }
}

function lengthUpTo (messages, permille) {
  const total = messages.flatMap(({ pieces }) => pieces).reduce((sum, { bytes }) => sum + bytes.length, 0)
  return Math.floor(total * permille / 1000)
}

function turn () {
  return new Promise((resolve) => setImmediate(resolve))
}

module.exports = exchange
