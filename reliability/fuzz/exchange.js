'use strict'

// Carries out a plan over one connection, byte for byte, with one implementation.

const { setImmediate: turn, setTimeout: delay } = require('node:timers/promises')
const { typedError } = require('../../test/support/outcome')
const LocalServer = require('../../tools/local-server')
const Talk = require('../../tools/talk')
const { observe, recording } = require('./observe')

const NO_TIMEOUTS = { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 }

let current = null // the Exchange that is going on

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
    const { stack } = plan.case
    layers = stack.map(({ parser, options, gap }) => ({ parser: bodyParser[parser](recording(options)), gap }))
  } catch (error) {
    return { creation: typedError(error), requests: [] }
  }
  const server = await LocalServer.open(null, NO_TIMEOUTS)
  const talk = await Talk.open(server)
  const exchange = current = new Exchange(plan, layers, timeout, talk)
  server.handle = (req, res) => exchange.handle(req, res)
  try {
    await exchange.send()
    await exchange.settle(linger)
    await turn()
    await turn()
    return exchange.outcome()
  } finally {
    exchange.end()
    talk.reset() // leaves no port in TIME_WAIT
    server.close()
  }
}

/** Some cases are known to throw an error that is not caught. */
exchange.crashed = (error) => {
  current.crash ??= typedError(error)
  current.end()
}

/** What to wait for after a piece. @type {Record<string, (talk: Talk) => unknown>} */
const PAUSES = {
  'at once' () {},
  delivered: (talk) => talk.delivered(),
  'a turn': (talk) => talk.delivered().then(turn),
  async turns (talk) {
    await talk.delivered()
    for (let i = 0; i < 5; i++) await turn()
  },
  'a moment': (talk) => talk.delivered().then(() => delay(2))
}

class Exchange {
  constructor (plan, layers, timeout, talk) {
    Object.assign(this, { plan, layers, timeout, talk })
    this.isOver = false // it waits for nothing more
    this.seen = [] // for each request, in order
    this.crash = undefined
    this.isProbing = false
    this.late = undefined
    this.reusable = false
  }

  /** @returns {Promise<boolean>} false when time is up, or an error was not caught: then it waits for nothing more */
  async until (condition) {
    if (!this.isOver) this.isOver = !await this.talk.until(() => this.isOver || condition(), this.timeout)
    return !this.isOver
  }

  /** A request came in. */
  handle (req, res) {
    res.sendDate = false
    if (this.isProbing) return res.end()
    const { 'content-encoding': coding, 'content-type': type } = req.headers
    const seen = { coding, type, steps: [], calls: [], settled: false }
    this.seen.push(seen)
    observe({ before: this.plan.case.before, layers: this.layers }, req, res, seen, () => this.talk.check())
  }

  async send () {
    const { talk } = this
    for (const { bytes, pause, follows } of writesOf(this.plan)) {
      await this.until(() => talk.closed || talk.answers >= follows)
      if (talk.closed) return
      talk.write(bytes)
      await PAUSES[pause](talk)
    }
  }

  async settle (linger) {
    const { talk, plan: { messages, end } } = this
    if (end.how === 'keep') {
      const isAnswered = await this.until(() => talk.closed || talk.answers >= messages.length)
      if (!isAnswered) this.late = true
      else if (!talk.closed) await this.probe()
      if (!talk.closed) return
    } else {
      await PAUSES[end.pause](talk)
      talk[end.how]()
    }
    await this.until(() => talk.closed && talk.peer.closed)
    this.timeout = linger
    await this.until(() => this.seen.every(({ settled }) => settled))
  }

  async probe () {
    this.isProbing = true
    this.reusable = await this.talk.probe(this.talk.answers, this.timeout)
    if (!this.reusable && !this.talk.closed) this.late = true
  }

  outcome () {
    const { reusable, seen, crash, late, plan: { messages, end } } = this
    const isOrderly = end.how === 'keep' && messages.every(({ clean, request }) => clean && request.version === '1.1')
    // Answers that race with the end of the connection are not compared.
    const rest = isOrderly ? { answers: this.talk.answers, reusable } : {}
    return { requests: seen.map(stateOf), ...rest, crash, late }
  }

  end () {
    this.isOver = true
    this.talk.check()
  }
}

/**
 * What is written at a time: one message may be glued to the one before, and the end of the connection may cut them.
 *
 * @returns {{ bytes: Buffer, pause: string, follows: number }[]} `follows`: how many responses have to come before
 */
function writesOf ({ messages, end }) {
  const writes = []
  for (const [index, { join, pieces: [first, ...pieces] }] of messages.entries()) {
    const isGlued = index > 0 && join === 'glued'
    const before = isGlued ? writes.pop() : { bytes: Buffer.alloc(0), follows: join === 'answered' ? index : 0 }
    writes.push({ ...first, bytes: Buffer.concat([before.bytes, first.bytes]), follows: before.follows })
    for (const piece of pieces) writes.push({ ...piece, follows: 0 })
  }
  if (end.how === 'keep') return writes
  let left = Math.floor(writes.reduce((sum, { bytes }) => sum + bytes.length, 0) * end.at / 1000)
  const cut = writes.map((write) => {
    const bytes = write.bytes.subarray(0, left)
    left -= bytes.length
    return { ...write, bytes }
  })
  return cut.filter(({ bytes }) => bytes.length > 0)
}

/** A copy, as closing the connection may change it. */
function stateOf ({ settled, steps, ...rest }) {
  const state = { ...rest, steps: steps.map((step) => ({ ...step })) }
  return settled ? state : { ...state, hangs: true }
}

module.exports = exchange
