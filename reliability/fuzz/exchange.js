'use strict'

// Runs one case over one connection, byte for byte, with one implementation.

const { once } = require('node:events')
const http = require('node:http')
const { setImmediate: turn, setTimeout: delay } = require('node:timers/promises')
const { typedError } = require('../../test/support/outcome')
const RawConnection = require('../../tools/talk')
const { Conditions } = require('../../tools/waiting')
const { observe, recording } = require('./observe')

const ANSWER = /HTTP\/1\.1 [2-5]\d\d /g // not 100 Continue
const PROBE = 'GET / HTTP/1.1\r\nHost: test\r\n\r\n'

let current = null // the Talk that is going on

/**
 * @param {import('./plan').Plan} plan
 * @param {object} bodyParser the implementation
 * @param {object} time
 * @param {number} time.timeout ms to wait for something
 * @param {number} time.linger ms for a `next` after the connection is closed:
 *   zlib has a thread of its own
 * @returns {Promise<object>} outcome
 */
async function exchange (plan, bodyParser, { timeout, linger }) {
  let layers
  try {
    layers = plan.case.stack.map(({ parser, options, gap }) => ({ parser: bodyParser[parser](recording(options)), gap }))
  } catch (error) {
    return { creation: typedError(error), requests: [] }
  }
  const talk = current = new Talk(plan, layers, timeout)
  try {
    if (await talk.connect()) {
      await talk.send()
      await talk.settle(linger)
      await turn()
      await turn()
    }
    return talk.outcome()
  } finally {
    talk.close()
  }
}

/** Some cases are known to throw an error that is not caught. */
exchange.crashed = (error) => current.crashed(error)

/** A server for one connection, and the client's side of it. */
class Talk {
  constructor (plan, layers, timeout) {
    this.plan = plan
    this.layers = layers
    this.timeout = timeout
    this.conditions = new Conditions()
    this.check = () => this.conditions.check()
    this.isOver = false // it waits for nothing more
    this.seen = [] // for each request, in order
    this.written = 0
    this.crash = undefined
    this.probing = false
    this.late = undefined
    this.reusable = false
  }

  /** @returns {Promise<boolean>} false when time is up, or an error was not caught: then it waits for nothing more */
  async until (condition) {
    if (!this.isOver && !await this.conditions.until(() => this.isOver || condition(), this.timeout)) this.isOver = true
    return !this.isOver
  }

  /** @returns {Promise<boolean>} false if the connection ended before */
  async connect () {
    const { check } = this
    this.server = http.createServer({ keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 }, (req, res) => this.handle(req, res))
    this.server.on('connection', (socket) => {
      this.peer = socket.on('close', check)
      check()
    })
    await once(this.server.listen(0, '127.0.0.1'), 'listening')
    this.connection = await RawConnection.open(this.server.address().port, check)
    await this.until(() => this.gone || this.peer !== undefined)
    return this.peer !== undefined
  }

  /** The client's side is closed. */
  get gone () {
    return this.connection.closed
  }

  get answers () {
    return this.connection.rest.latin1Slice().match(ANSWER)?.length ?? 0
  }

  /** A request came in. */
  handle (req, res) {
    res.sendDate = false
    if (this.probing) {
      res.end()
      return
    }
    const { 'content-encoding': coding, 'content-type': type } = req.headers
    const seen = { coding, type, steps: [], calls: [], settled: false }
    this.seen.push(seen)
    observe({ before: this.plan.case.before, layers: this.layers }, req, res, seen, this.check)
  }

  async send () {
    const { messages, end } = this.plan
    let budget = end.how === 'keep' ? Infinity : lengthUpTo(messages, end.at)
    let glue = Buffer.alloc(0)
    for (const [index, { pieces }] of messages.entries()) {
      if (index > 0 && messages[index].join === 'answered') await this.until(() => this.answers >= index || this.gone)
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
    if (bytes.length > 0) this.connection.socket.write(bytes)
    this.written += bytes.length
    if (pause === 'at once') return
    await this.delivered()
    const turns = { 'a turn': 1, turns: 5 }[pause] ?? 0
    for (let i = 0; i < turns; i++) await turn()
    if (pause === 'a moment') await delay(2)
  }

  /** Waits until the server has read what was written, if it reads at all. */
  async delivered () {
    for (let turns = 0; turns < 100 && !this.gone; turns++) {
      if (this.peer.destroyed || this.peer.bytesRead >= this.written) return
      await turn()
    }
  }

  async settle (linger) {
    const { messages, end } = this.plan
    if (end.how === 'keep') {
      if (!await this.until(() => this.gone || this.answers >= messages.length)) this.late = true
      else if (!this.gone) await this.probe()
    } else {
      if (end.pause !== 'at once') await this.delivered()
      if (end.pause === 'a turn') await turn()
      this.leave(end.how)
    }
    if (this.gone || end.how !== 'keep') {
      await this.until(() => this.gone && this.peer.closed)
      this.timeout = linger
      await this.until(() => this.seen.every(({ settled }) => settled))
    }
  }

  leave (how) {
    const { socket } = this.connection
    if (how === 'half') socket.end()
    else if (how === 'reset') socket.resetAndDestroy()
    else socket.destroy()
  }

  /** Sends another request, to see if the connection is still usable. */
  async probe () {
    this.probing = true
    const { answers } = this
    this.connection.socket.write(PROBE)
    if (!await this.until(() => this.gone || this.answers > answers)) this.late = true
    this.reusable = this.answers > answers
  }

  /** An error was not caught. */
  crashed (error) {
    this.crash ??= typedError(error)
    this.end()
  }

  outcome () {
    const { seen, crash, late } = this
    const { messages, end } = this.plan
    const orderly = end.how === 'keep' && messages.every(({ clean, request }) => clean && request.version === '1.1')
    // Answers that race with the end of the connection are not compared.
    const { answers, reusable } = orderly ? this : {}
    return { requests: seen.map(stateOf), answers, reusable, crash, late }
  }

  end () {
    this.isOver = true
    this.check()
  }

  close () {
    this.end()
    this.connection?.socket.resetAndDestroy() // leaves no port in TIME_WAIT
    this.server.close()
    this.server.closeAllConnections()
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

module.exports = exchange
