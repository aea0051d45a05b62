'use strict'

// Carries out a plan over a connection of its own, byte for byte, with one implementation, and records what its parsers
// do.

const { setImmediate: turn, setTimeout: delay } = require('node:timers/promises')
const { outcomeOf, typed, typedError } = require('../../test/support/outcome')
const LocalServer = require('../../tools/local-server')
const Talk = require('../../tools/talk')
const { watchListeners, watchNext } = require('../../tools/watch-next')

const NO_TIMEOUTS = { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 }

let current = null // the Exchange that is going on

/** Waits `timeout` ms for something, and `linger` for a `next` once the connection is closed: zlib has a thread. */
async function exchange (plan, bodyParser, { timeout, linger }) {
  let layers
  try {
    const { stack } = plan.case
    layers = stack.map(({ parser, options, gap }) => ({ parser: bodyParser[parser](recording(options)), gap }))
  } catch (error) {
    return { creation: typedError(error) }
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
    this.seen = undefined // of the request
    this.crash = undefined
    this.late = undefined
    this.reusable = false
  }

  /** @returns {Promise<boolean>} false when time is up, or an error was not caught: then it waits for nothing more */
  async until (condition) {
    if (!this.isOver) this.isOver = !await this.talk.until(() => this.isOver || condition(), this.timeout)
    return !this.isOver
  }

  /** A request came in; another one is the probe. */
  handle (req, res) {
    res.sendDate = false
    if (this.seen !== undefined) return res.end()
    const { 'content-encoding': coding, 'content-type': type } = req.headers
    const seen = this.seen = { coding, type, steps: [], calls: [], settled: false }
    const listenersLeft = watchListeners(req)
    const settle = () => setImmediate(() => setImmediate(() => {
      Object.assign(seen, { listeners: listenersLeft(), settled: true })
      res.end()
      this.talk.check()
    }))
    const run = () => runLayer(seen, this.layers, 0, req, res, settle)
    const { before } = this.plan.case
    if (before === undefined) run()
    else before(req, run)
  }

  async send () {
    const { talk } = this
    for (const { bytes, pause } of this.plan.pieces) {
      if (talk.closed) return
      talk.write(bytes)
      await PAUSES[pause](talk)
    }
  }

  async settle (linger) {
    const { talk, plan: { whole } } = this
    if (whole) {
      const isAnswered = await this.until(() => talk.closed || talk.answers > 0)
      if (isAnswered && !talk.closed) this.reusable = await talk.probe(talk.answers, this.timeout)
      if (!isAnswered || !(this.reusable || talk.closed)) this.late = true
      if (!talk.closed) return
    } else {
      talk.halfClose()
    }
    await this.until(() => talk.closed && talk.peer.closed)
    this.timeout = linger
    await this.until(() => this.seen?.settled ?? true)
  }

  outcome () {
    const { reusable, seen, crash, late, plan: { whole, clean, case: { request } } } = this
    // Answers that race with the end of the connection are not compared.
    const rest = whole && clean && request.version === '1.1' ? { answers: this.talk.answers, reusable } : {}
    return { request: seen && stateOf(seen), ...rest, crash, late }
  }

  end () {
    this.isOver = true
    this.talk.check()
  }
}

/** Runs a parser, and those behind it. */
function runLayer (seen, layers, index, req, res, settle) {
  if (index === layers.length) return settle()
  const { parser, gap } = layers[index]
  const step = {}
  seen.steps.push(step)
  const proceed = (...args) => {
    Object.assign(step, outcomeOf(req, args[0]), { given: args.length })
    if (args.length > 0) settle()
    else gap(() => runLayer(seen, layers, index + 1, req, res, settle))
  }
  try {
    const result = watchNext((next) => parser(req, res, next), step, proceed)
    if (result !== undefined) step.returned = typed(result)
  } catch (error) {
    step.thrown = typedError(error)
    settle()
  }
}

/** The options, with a `verify` that records its arguments. */
function recording (options) {
  if (typeof options?.verify !== 'function') return options
  const { verify } = options
  return {
    ...options,
    verify (...args) {
      const [req, , bytes, charset] = args
      current.seen?.calls.push({
        count: args.length,
        bytes: typed(bytes),
        charset: typed(charset),
        body: typed(req.body),
        this: this === undefined || this === globalThis
      })
      return verify.apply(this, args)
    }
  }
}

/** A copy, as closing the connection may change it. */
function stateOf ({ settled, steps, ...rest }) {
  const state = { ...rest, steps: steps.map((step) => ({ ...step })) }
  return settled ? state : { ...state, hangs: true }
}

module.exports = exchange
