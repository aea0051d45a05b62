'use strict'

// Clients that do what autocannon does not: requests in pieces and in chunks,
// aborted, stalled, or disturbed. Each has one keep-alive connection, which is
// opened again when the server has closed it.

const { setImmediate: turn } = require('node:timers/promises')
const { serializeRequest, split } = require('../../tools/http-message')
const { randomInt, pick } = require('../../tools/random')
const Talk = require('../../tools/talk')
const { disturbances } = require('./disturb')

const TIMEOUT = 30_000 // ms without a response
const DISTURBED = 50 // ms to wait for an answer that an act may prevent
const CHUNKS = 2
const MOST_PIPELINED = 4 // requests at a time
const MOST_PIECES = 4 // writes

/** Shares of the exchanges; the others are pipelined. `stall` only with options that bound it. */
const SHARES = { abort: 0.1, disturb: 0.1, stall: 0.004 }

let ids = 0

/** Each request has an id of its own, which its answer repeats. */
const nextId = () => String(++ids)

class Client {
  /**
   * @param {number} port of a server on the loopback interface
   * @param {{ mix: import('./traffic').Message[], stalling: import('./traffic').Message[], random: () => number,
   *   fault: (text: string) => void }} load messages, those that may stall, and what is called with each wrong answer
   */
  constructor (port, load) {
    Object.assign(this, { port, talk: null, ...load })
  }

  async open () {
    if (this.talk === null || this.talk.closed) this.talk = await Talk.open(this.port)
  }

  close () {
    this.talk?.close()
    this.talk = null
  }

  /** Exchanges messages for some seconds. */
  async run (duration) {
    const end = performance.now() + duration * 1000
    while (performance.now() < end) {
      await this.open()
      await this[this.draw()]()
    }
    await this.open() // so that samples always count as many handles
  }

  draw () {
    let left = this.random()
    const kind = Object.keys(SHARES).find((name) => (left -= SHARES[name]) < 0) ?? 'pipeline'
    return kind === 'stall' && this.stalling.length === 0 ? 'pipeline' : kind
  }

  any () {
    return pick(this.mix, this.random)
  }

  /** Sends messages, one after the other, and checks the responses. */
  async pipeline () {
    const count = 1 + randomInt(MOST_PIPELINED, this.random)
    const messages = Array.from({ length: count }, () => this.any())
    const requests = messages.map(serialize)
    const responses = this.talk.responses(count, TIMEOUT)
    await this.send(Buffer.concat(requests.map(({ bytes }) => bytes)))
    const seen = await responses
    messages.forEach(({ expect }, index) => this.compare(expect, requests[index].id, seen[index]))
  }

  /** Sends a part of a message, and waits until the server refuses to wait longer. */
  async stall () {
    const { expect, ...message } = pick(this.stalling, this.random)
    const { id, bytes } = serialize(message)
    const responses = this.talk.responses(1, TIMEOUT)
    this.talk.write(bytes.subarray(0, Math.floor(bytes.length * 0.99)))
    const [seen] = await responses
    this.close()
    this.compare({ ...expect, status: 408, text: 'request.timeout' }, id, seen)
  }

  /**
   * Sends a message, or a part of it, to code that acts on the request while
   * it is parsed. Any answer is right, or none.
   */
  async disturb () {
    const { act, step } = pick(disturbances, this.random)
    const message = this.any()
    const { bytes } = serialize({ ...message, headers: { ...message.headers, 'X-Act': act, 'X-Step': step } })
    // Node forgets a request that is answered before its body is there: see ../matrix/request/allowed-differences.js.
    const part = act === 'res.end()' || this.random() < 0.5 ? 1 : this.random()
    const answer = this.talk.responses(1, DISTURBED)
    await this.send(bytes.subarray(0, Math.floor(bytes.length * part)))
    await answer
    this.close()
  }

  /** Sends a part of a message, a third of the time all of it, and closes the connection. */
  async abort () {
    const { bytes } = serialize(this.any())
    this.talk.write(bytes.subarray(0, Math.floor(bytes.length * Math.min(1, this.random() * 1.5))))
    await turn()
    this.close()
  }

  /** In some pieces; does not wait until they are sent, so that some of them queue. */
  send (bytes) {
    return this.talk.send({ pieces: split(bytes, 1 + randomInt(MOST_PIECES, this.random)) }, turn)
  }

  compare (expect, id, response) {
    const difference = differenceOf(expect, id, response)
    if (difference !== null) this.fault(difference)
  }
}

/** A request with an id of its own. */
function serialize ({ method, headers, body, chunked }) {
  const id = nextId()
  const fields = { 'X-Id': id, ...headers }
  return { id, bytes: serializeRequest({ method, headers: fields, body, chunks: chunked ? CHUNKS : undefined }) }
}

/** @returns {string | null} what is wrong with a response */
function differenceOf (expect, id, response) {
  if (response === undefined) return `no answer to ${id}, which should be ${expect.status}`
  const { status, headers } = response
  if (headers['x-id'] !== id) return `request ${id} got the answer to ${headers['x-id']}`
  const text = response.body.toString()
  if (status === expect.status && text === expect.text) return null
  if (expect.mayExceedBudget && status === 503 && text === 'budget.exceeded') return null
  return `${status} ${text.slice(0, 100)} instead of ${expect.status} ${expect.text.slice(0, 100)}`
}

module.exports = { Client, differenceOf, nextId }
